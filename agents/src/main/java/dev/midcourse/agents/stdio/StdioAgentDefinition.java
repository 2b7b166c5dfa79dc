package dev.midcourse.agents.stdio;

import dev.midcourse.agents.AttemptSpec;
import dev.midcourse.agents.ProgramLookup;
import dev.midcourse.agents.hosted.AgentCommand;
import dev.midcourse.core.id.SessionId;
import java.util.Map;
import java.util.Optional;

/**
 * The properties of one kind of agent that communicates over standard input and output: its search,
 * its command, its framing and its protocol.
 */
public interface StdioAgentDefinition {

  /**
   * Finds the program and reports the capabilities of its version, without starting a conversation.
   */
  ProgramLookup find();

  /** The command for this attempt. */
  AgentCommand command(AttemptSpec spec);

  default Framing framing() {
    return Framing.LINES;
  }

  /**
   * The protocol in the state of the memo.
   *
   * @param memo a memo that the protocol of this attempt gave earlier; empty for a program that has
   *     just started
   */
  Protocol protocol(AttemptSpec spec, Optional<String> memo);

  /**
   * The record of a conversation, given the variables that the program runs with; empty if the
   * program keeps none.
   */
  default Optional<ConversationRecord> record(SessionId session, Map<String, String> environment) {
    return Optional.empty();
  }
}
