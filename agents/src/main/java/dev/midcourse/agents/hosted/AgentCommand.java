package dev.midcourse.agents.hosted;

import java.util.List;
import java.util.Map;

/**
 * The command that starts an agent.
 *
 * @param argv the program and its arguments
 * @param environment the variables that it needs in addition to {@link AgentEnvironment}
 */
public record AgentCommand(List<String> argv, Map<String, String> environment) {
  public AgentCommand {
    argv = List.copyOf(argv);
    environment = Map.copyOf(environment);
  }
}
