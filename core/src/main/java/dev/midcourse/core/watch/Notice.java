package dev.midcourse.core.watch;

import dev.midcourse.core.id.GroupName;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.WorkerName;
import java.time.Instant;

/**
 * A message of one line to a lead about a run of one of its workers.
 *
 * @param to the group that asked for the run
 * @param text the text after the sign
 */
public record Notice(
    GroupName to, RunId run, WorkerName worker, Sign sign, String text, Instant at) {
  private static final int SHORT = 6;

  /** The subject of a notice, with the sign that stands for it. */
  public enum Sign {
    STARTED("▶"),
    PROGRESS("↻"),
    QUIET("…"),
    STEER("↗"),
    ASKS("?"),
    ENDED("■");

    private final String mark;

    Sign(String mark) {
      this.mark = mark;
    }
  }

  /** The line for the lead: the end of the run id, the sign, the text. */
  public String line() {
    return head() + " " + text;
  }

  /** The beginning of the line: the end of the run id and the sign. */
  String head() {
    return "[" + shortened(run) + "] " + sign.mark;
  }

  private static String shortened(RunId run) {
    String name = run.value();
    return name.length() <= SHORT ? name : name.substring(name.length() - SHORT);
  }
}
