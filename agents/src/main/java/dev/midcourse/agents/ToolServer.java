package dev.midcourse.agents;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A program that offers tools of Midcourse to an agent, over the Model Context Protocol on standard
 * input and output. The agent starts it, so it is a process of the run and the hub knows its
 * caller.
 *
 * @param environment the variables that it needs in addition to those of the agent
 */
public record ToolServer(String command, List<String> arguments, Map<String, String> environment) {
  /** The name of the server in the settings of an agent. */
  public static final String NAME = "midcourse";

  /** Longer than a tool may wait for a person. */
  public static final Duration CALL_TIMEOUT = Duration.ofMinutes(65);

  public ToolServer {
    arguments = List.copyOf(arguments);
    environment = Map.copyOf(environment);
  }

  /** The program with its arguments. */
  public List<String> words() {
    return Stream.concat(Stream.of(command), arguments.stream()).toList();
  }
}
