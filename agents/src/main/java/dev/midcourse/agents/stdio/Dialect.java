package dev.midcourse.agents.stdio;

import dev.midcourse.agents.Finding;
import dev.midcourse.agents.Order;
import java.util.List;
import java.util.Map;

/**
 * All that is special about one kind of agent that speaks over its standard input and output: how
 * it is found, how it is started, and how it is spoken to.
 */
public interface Dialect {

  /** Looks for the program and says what it can do, without starting a conversation. */
  Finding find();

  /** What to start for this order. */
  Command command(Order order);

  Framing framing();

  /** The protocol at the start of a program. */
  Protocol protocol(Order order);

  /** The protocol as it was when it gave this memo. */
  Protocol restore(Order order, String memo);

  /**
   * A program with its arguments, and what it needs in its environment beyond {@link Surroundings}.
   */
  record Command(List<String> words, Map<String, String> environment) {
    public Command {
      words = List.copyOf(words);
      environment = Map.copyOf(environment);
    }
  }
}
