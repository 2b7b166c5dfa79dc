package dev.midcourse.cli.spec;

import java.util.List;

/**
 * An operand of a command: an argument without a dash.
 *
 * @param name as errors show it: {@code RUN}
 * @param words as the usage line shows it: the name, or the words that may be given
 */
public record Operand(String name, Count count, Kind kind, String words) {
  /** Longer words make the usage line unreadable; it shows the name instead. */
  private static final int MAX_WORDS = 50;

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
    SHELL,
    CHAT,
    PERSON,
    WORKER,
    /** One of the words that the usage line shows, with a bar between them. */
    VERB
  }

  /** As the usage line shows it: {@code RUN}, {@code [TEXT]}, {@code RUN...}. */
  String form() {
    String shown = words.length() > MAX_WORDS ? name : words;
    return switch (count) {
      case ONE -> shown;
      case OPTIONAL, ANY -> "[" + shown + "]";
      case SEVERAL -> kind == Kind.TEXT ? shown : shown + "...";
    };
  }

  /** The words of a verb. */
  List<String> verbs() {
    return List.of(words.split("\\|", -1));
  }

  boolean repeats() {
    return count == Count.SEVERAL || count == Count.ANY;
  }

  boolean required() {
    return count == Count.ONE || count == Count.SEVERAL;
  }
}
