package dev.midcourse.core.loop.finding;

import dev.midcourse.core.WireNames;
import java.util.Locale;

/** How much a finding matters. */
public enum Severity {
  BLOCKER,
  MAJOR,
  MINOR,
  /** A matter of taste. It never keeps a loop from its end. */
  NIT;

  /** Whether a loop cannot be clean while such a finding is open. */
  public boolean holds() {
    return this != NIT;
  }

  public String wire() {
    return WireNames.name(this);
  }

  public static Severity parse(String text) {
    return WireNames.parse(Severity.class, "severity", text);
  }

  /** Reads the word of a reviewer. An unknown word counts as major, so that it holds the loop. */
  static Severity ofReport(String word) {
    return switch (word.strip().toLowerCase(Locale.ROOT)) {
      case "blocker", "critical", "p0" -> BLOCKER;
      case "minor", "low", "p2", "warning" -> MINOR;
      case "nit", "style", "p3", "info" -> NIT;
      default -> MAJOR;
    };
  }
}
