package dev.midcourse.agents.stdio;

import dev.midcourse.agents.AttemptSpec;
import dev.midcourse.agents.ProgramLookup;
import dev.midcourse.core.id.SessionId;
import java.util.List;
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
  Command command(AttemptSpec spec);

  Framing framing();

  /** The protocol at the start of a program. */
  Protocol protocol(AttemptSpec spec);

  /** The protocol as it was when it gave this memo. */
  Protocol restore(AttemptSpec spec, String memo);

  /** Where the program keeps a conversation, given the variables it runs with; see there. */
  default Optional<ConversationRecord> record(SessionId session, Map<String, String> environment) {
    return Optional.empty();
  }

  /**
   * A program with its arguments, and what it needs in its environment beyond {@link
   * dev.midcourse.agents.hosted.AgentEnvironment}.
   */
  record Command(List<String> words, Map<String, String> environment) {
    public Command {
      words = List.copyOf(words);
      environment = Map.copyOf(environment);
    }
  }
}
