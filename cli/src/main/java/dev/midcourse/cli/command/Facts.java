package dev.midcourse.cli.command;

import dev.midcourse.cli.screen.Clean;
import dev.midcourse.cli.screen.Ink;
import dev.midcourse.cli.screen.Page;
import dev.midcourse.cli.screen.Width;
import java.util.ArrayList;
import java.util.List;

/** Names and values, one pair per line, the values aligned. */
final class Facts {
  private record Fact(String name, Ink ink, String value) {}

  private final Page page;
  private final List<Fact> facts = new ArrayList<>();

  Facts(Page page) {
    this.page = page;
  }

  void add(String name, String value) {
    add(name, Ink.PLAIN, value);
  }

  void add(String name, Ink ink, String value) {
    facts.add(new Fact(name, ink, Clean.line(value)));
  }

  void print() {
    int widest = 0;
    for (Fact fact : facts) {
      widest = Math.max(widest, fact.name().length());
    }
    for (Fact fact : facts) {
      String name = page.paint(Ink.DIM, Width.padded(fact.name(), widest));
      String value = page.paint(fact.ink(), page.fit(fact.value(), widest + 2));
      page.line((name + "  " + value).stripTrailing());
    }
  }
}
