package dev.midcourse.cli.screen;

import java.util.ArrayList;
import java.util.List;

/** Prints names and values, one pair per line, the values aligned. */
public final class KeyValueTable {
  private record Fact(String name, TextColor color, String value, boolean whole) {}

  private final TerminalOutput page;
  private final List<Fact> facts = new ArrayList<>();

  public KeyValueTable(TerminalOutput page) {
    this.page = page;
  }

  public void add(String name, String value) {
    add(name, TextColor.PLAIN, value);
  }

  public void add(String name, TextColor color, String value) {
    facts.add(new Fact(name, color, TextSanitizer.line(value), false));
  }

  /** Adds a value that users copy, so it is not cut at the end of the line. */
  public void addWhole(String name, String value) {
    facts.add(new Fact(name, TextColor.PLAIN, TextSanitizer.line(value), true));
  }

  public void print() {
    int widest = 0;
    for (Fact fact : facts) {
      widest = Math.max(widest, fact.name().length());
    }
    for (Fact fact : facts) {
      String name = page.paint(TextColor.DIM, DisplayWidth.padded(fact.name(), widest));
      String words = fact.whole() ? fact.value() : page.fit(fact.value(), widest + 2);
      String value = page.paint(fact.color(), words);
      page.line((name + "  " + value).stripTrailing());
    }
  }
}
