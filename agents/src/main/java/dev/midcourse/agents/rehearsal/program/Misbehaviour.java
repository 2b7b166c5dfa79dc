package dev.midcourse.agents.rehearsal.program;

import java.util.Locale;
import java.util.Optional;

/** The ways in which the rehearsal agent misbehaves when a line {@code ! name} tells it to. */
public enum Misbehaviour {
  /** Ignores TERM and a request to quit from now on. */
  IGNORE_TERM,
  /** Starts a process in a session of its own that outlives the agent. */
  LEAVE_CHILD,
  /** Exits with status 0 in the middle of the turn. */
  EXIT_WITHOUT_ANSWER,
  /** Writes lines that are not messages. */
  GARBAGE,
  /** Stops all work, output and reading. */
  HANG,
  /** Sends nothing for the given number of milliseconds, not even the receipt of the prompt. */
  SLOW_START,
  /** Refuses every steer from now on. */
  REFUSE_STEERS,
  /** Acknowledges the next steer and dies at once. */
  ACK_THEN_DIE,
  /** Dies at once after it has taken the next steer into the session and reported it. */
  DIE_AFTER_INJECT,
  /** Dies at the next steer without a report. */
  DIE_ON_STEER,
  /** Sends the given number of lines as fast as possible. */
  FLOOD;

  /** The name in a prompt: {@code ignore-term}. */
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  static Optional<Misbehaviour> named(String word) {
    for (Misbehaviour mischief : values()) {
      if (mischief.word().equals(word)) {
        return Optional.of(mischief);
      }
    }
    return Optional.empty();
  }
}
