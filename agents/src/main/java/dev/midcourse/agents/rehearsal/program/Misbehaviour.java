package dev.midcourse.agents.rehearsal.program;

import java.util.Locale;
import java.util.Optional;

/** The ways in which the rehearsal agent misbehaves when a line {@code ! name} tells it to. */
public enum Misbehaviour {
  /** From now on TERM and a polite request to quit have no effect. */
  IGNORE_TERM,
  /** Starts a process in a session of its own that outlives the agent. */
  LEAVE_CHILD,
  /** Exits with status 0 in the middle of the turn. */
  EXIT_WITHOUT_ANSWER,
  /** Writes lines that are no messages. */
  GARBAGE,
  /** Does nothing, says nothing and reads nothing any more. */
  HANG,
  /** Says nothing at all for so many milliseconds, not even that the prompt has arrived. */
  SLOW_START,
  /** Refuses every steer from now on. */
  REFUSE_STEERS,
  /** Acknowledges the next steer and dies at once. */
  ACK_THEN_DIE,
  /** Dies at once after the next steer was taken into the conversation and shown there. */
  DIE_AFTER_INJECT,
  /** Dies at the next steer without a word. */
  DIE_ON_STEER,
  /** Says so many lines as fast as it can. */
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
