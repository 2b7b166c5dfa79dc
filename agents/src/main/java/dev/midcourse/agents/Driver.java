package dev.midcourse.agents;

import dev.midcourse.core.id.SessionId;
import java.util.Optional;
import java.util.Set;

/**
 * How Midcourse talks to one kind of agent. A driver starts the program, or finds one again that an
 * earlier hub started, and gives back the {@link Agent} to talk to.
 */
public interface Driver {

  /** Looks for the program and says what it can do, without starting a conversation. */
  ProgramLookup find();

  /**
   * Starts the program for an attempt. Returns as soon as there is a process; everything it says,
   * beginning with {@code Started}, comes through the ear.
   */
  Agent start(AttemptSpec spec, AgentListener listener);

  /**
   * Finds the attempt's program again after the hub that started it died, and reads on from the
   * place up to which everything has been heard. A program that died in between is heard to its
   * last word, then {@code Exited}.
   */
  Agent attach(AttemptSpec spec, AgentEventBatch.OutputCheckpoint from, AgentListener listener);

  /**
   * Which of these passages the conversation holds, by the record that the program keeps of it and
   * resumes it from. Only asked once the program is gone. Empty where there is no such record, or
   * it cannot be read.
   */
  default Optional<Set<String>> recorded(
      AttemptSpec spec, SessionId session, Set<String> passages) {
    return Optional.empty();
  }
}
