package dev.midcourse.cli.command;

import dev.midcourse.cli.screen.Clean;
import dev.midcourse.cli.screen.Ink;
import dev.midcourse.cli.screen.Page;
import dev.midcourse.cli.screen.Width;
import java.util.ArrayList;
import java.util.List;

/** Names and values, one pair per line, the values aligned. */
final class Facts {
  private record Fact(String name, Ink ink, String value, boolean whole) {}

  private final Page page;
  private final List<Fact> facts = new ArrayList<>();

  Facts(Page page) {
    this.page = page;
  }

  void add(String name, String value) {
    add(name, Ink.PLAIN, value);
  }

  void add(String name, Ink ink, String value) {
    facts.add(new Fact(name, ink, Clean.line(value), false));
  }

  /** Something that is copied, and so must not be cut where the line ends. */
  void addWhole(String name, String value) {
    facts.add(new Fact(name, Ink.PLAIN, Clean.line(value), true));
  }

  void print() {
    int widest = 0;
    for (Fact fact : facts) {
      widest = Math.max(widest, fact.name().length());
    }
    for (Fact fact : facts) {
      String name = page.paint(Ink.DIM, Width.padded(fact.name(), widest));
      String words = fact.whole() ? fact.value() : page.fit(fact.value(), widest + 2);
      String value = page.paint(fact.ink(), words);
      page.line((name + "  " + value).stripTrailing());
    }
  }
}
