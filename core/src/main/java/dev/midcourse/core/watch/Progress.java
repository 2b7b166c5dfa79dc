package dev.midcourse.core.watch;

import dev.midcourse.core.WireNames;
import java.time.Instant;
import java.util.Optional;

/** The current activity of a worker: a phase, a summary of one line, the tool in use. */
public record Progress(String phase, String summary, Optional<String> tool, long seq, Instant at) {
  private static final int MAX_SUMMARY = 200;

  /** The first line of the text, shortened for a list. */
  public static String line(String text) {
    String first = text.strip().lines().findFirst().orElse("").strip();
    return WireNames.cut(first, MAX_SUMMARY);
  }

  /** The summary of the beginning of a turn. It says nothing about the work. */
  public static String turnStarted(int turn) {
    return "turn " + turn + " started";
  }

  /** The same progress at another time. */
  public Progress at(Instant time) {
    return new Progress(phase, summary, tool, seq, time);
  }

  /** Whether a reader sees no difference. */
  public boolean hasSameText(Progress other) {
    return phase.equals(other.phase) && summary.equals(other.summary) && tool.equals(other.tool);
  }
}
