package dev.midcourse.agents;

import dev.midcourse.core.id.SessionId;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The connection between Midcourse and one kind of agent. A driver starts the program, or attaches
 * to a program that an earlier hub started, and returns an {@link Agent}.
 */
public interface Driver {

  /**
   * Finds the program and reports the capabilities of its version, without starting a conversation.
   */
  ProgramLookup find();

  /**
   * Returns what a person should know about the conditions under which the program of this attempt
   * runs, one sentence each.
   */
  default List<String> notes(AttemptSpec spec) {
    return List.of();
  }

  /**
   * Starts the program for an attempt. Returns as soon as there is a process. The listener gets all
   * events; the first event of a program that works is {@code Started}.
   */
  Agent start(AttemptSpec spec, AgentListener listener);

  /**
   * Attaches to the attempt's program after the hub that started it has ended, and continues to
   * read its output at the checkpoint. If the program has exited since then, the listener gets the
   * rest of its output and then {@code Exited}.
   */
  Agent attach(AttemptSpec spec, AgentEventBatch.OutputCheckpoint from, AgentListener listener);

  /**
   * Returns the passages that are in the conversation, according to the record from which the
   * program resumes the conversation. It is called only after the program has exited. Returns empty
   * if there is no such record or the record cannot be read.
   */
  default Optional<Set<String>> recorded(
      AttemptSpec spec, SessionId session, Set<String> passages) {
    return Optional.empty();
  }
}
