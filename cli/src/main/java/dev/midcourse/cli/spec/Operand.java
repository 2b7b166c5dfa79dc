package dev.midcourse.cli.spec;

/**
 * An operand of a command: an argument without a dash.
 *
 * @param name as errors show it: {@code RUN}
 * @param words as the usage line shows it: the name, or the words that may be given
 */
public record Operand(String name, Count count, Kind kind, String words) {

  public Operand(String name, Count count, Kind kind) {
    this(name, count, kind, name);
  }

  /** How often it may be given. */
  public enum Count {
    ONE,
    OPTIONAL,
    SEVERAL,
    ANY
  }

  /** Its type, for completion. */
  public enum Kind {
    RUN,
    LIVE_RUN,
    STEER,
    TEXT,
    COMMAND,
    SHELL
  }

  /** As the usage line shows it: {@code RUN}, {@code [TEXT]}, {@code RUN...}. */
  String form() {
    return switch (count) {
      case ONE -> words;
      case OPTIONAL, ANY -> "[" + words + "]";
      case SEVERAL -> kind == Kind.TEXT ? words : words + "...";
    };
  }

  boolean repeats() {
    return count == Count.SEVERAL || count == Count.ANY;
  }

  boolean required() {
    return count == Count.ONE || count == Count.SEVERAL;
  }
}
