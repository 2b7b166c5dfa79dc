package dev.midcourse.cli.spec;

/**
 * What stands in a command without a dash before it.
 *
 * @param name as help shows it: {@code RUN}
 */
public record Operand(String name, Count count, Kind kind) {

  /** How many of them there may be. */
  public enum Count {
    ONE,
    OPTIONAL,
    SEVERAL,
    ANY
  }

  /** What it is, for completion. */
  public enum Kind {
    RUN,
    LIVE_RUN,
    STEER,
    TEXT,
    COMMAND,
    SHELL
  }

  boolean repeats() {
    return count == Count.SEVERAL || count == Count.ANY;
  }

  boolean required() {
    return count == Count.ONE || count == Count.SEVERAL;
  }
}
