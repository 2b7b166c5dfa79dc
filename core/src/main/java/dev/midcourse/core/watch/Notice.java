package dev.midcourse.core.watch;

import dev.midcourse.core.id.GroupName;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.WorkerName;
import java.time.Instant;

/**
 * One line for a lead about a run of one of its workers.
 *
 * @param to who asked for the run
 * @param text what happened, after its sign
 */
public record Notice(
    GroupName to, RunId run, WorkerName worker, Sign sign, String text, Instant at) {
  private static final int SHORT = 6;

  /** What a notice is about, and the sign that people know it by. */
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

  /** The line as leads know it: the end of the run's name, the sign, the words. */
  public String line() {
    return "[" + shortened(run) + "] " + sign.mark + " " + text;
  }

  private static String shortened(RunId run) {
    String name = run.value();
    return name.length() <= SHORT ? name : name.substring(name.length() - SHORT);
  }
}
