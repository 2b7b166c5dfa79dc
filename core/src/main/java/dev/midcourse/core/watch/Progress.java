package dev.midcourse.core.watch;

import dev.midcourse.core.WireNames;
import java.time.Instant;
import java.util.Optional;

/** What a worker is doing now: a phase, one line for people, the tool in use, and a sequence. */
public record Progress(String phase, String summary, Optional<String> tool, long seq, Instant at) {
  private static final int MAX_SUMMARY = 200;

  /** The first line of some text, short enough to stand in a list. */
  public static String line(String text) {
    String first = text.strip().lines().findFirst().orElse("").strip();
    return WireNames.cut(first, MAX_SUMMARY);
  }

  /** The same, kept at another time. */
  public Progress at(Instant time) {
    return new Progress(phase, summary, tool, seq, time);
  }

  /** Whether a reader would see the same. */
  public boolean saysTheSameAs(Progress other) {
    return phase.equals(other.phase) && summary.equals(other.summary) && tool.equals(other.tool);
  }
}
