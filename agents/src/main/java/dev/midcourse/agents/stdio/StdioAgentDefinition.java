package dev.midcourse.agents.stdio;

import dev.midcourse.agents.AttemptSpec;
import dev.midcourse.agents.ProgramLookup;
import dev.midcourse.agents.hosted.AgentCommand;
import dev.midcourse.core.id.SessionId;
import java.util.Map;
import java.util.Optional;

/**
 * All that is special about one kind of agent that speaks over its standard input and output: how
 * it is found, how it is started, and how it is spoken to.
 */
public interface StdioAgentDefinition {

  /** Looks for the program and says what it can do, without starting a conversation. */
  ProgramLookup find();

  /** What to start for this order. */
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

  /** Where the program keeps a conversation, given the variables it runs with; see there. */
  default Optional<ConversationRecord> record(SessionId session, Map<String, String> environment) {
    return Optional.empty();
  }
}
