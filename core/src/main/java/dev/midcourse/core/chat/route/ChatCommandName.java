package dev.midcourse.core.chat.route;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The commands that every chat understands. */
public enum ChatCommandName {
  STOP,
  STATUS,
  NEW,
  LATER,
  INTERRUPT,
  STEERS,
  WITHDRAW,
  QUEUE,
  MUTE,
  APPROVE,
  DENY,
  LINK,
  TIMEZONE,
  REMOTE_CONTROL,
  AUTOPILOT,
  HELP;

  /** The word as a person types it, with its slash. */
  public String word() {
    return "/" + name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The command of exactly this word; upper and lower case are the same. */
  public static Optional<ChatCommandName> of(String word) {
    String folded = word.toLowerCase(Locale.ROOT);
    return Arrays.stream(values()).filter(name -> name.word().equals(folded)).findFirst();
  }
}
