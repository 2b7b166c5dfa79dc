package dev.midcourse.autopilot;

import dev.midcourse.agents.AgentSettings;
import dev.midcourse.agents.Driver;
import dev.midcourse.agents.HubEnvironment;
import dev.midcourse.agents.command.CommandDefinition;
import dev.midcourse.agents.process.ProcessHost;
import dev.midcourse.agents.stdio.StdioDriver;
import dev.midcourse.core.id.AgentName;

/**
 * The agent that runs the command of CI. Its prompt is a script for a shell. So CI is an ordinary
 * run: it outlives the hub, its output is in its transcript, and a stop ends all of its processes.
 */
public final class CiAgent {
  public static final AgentName NAME = AgentName.of("ci");

  private CiAgent() {}

  public static Driver driver(ProcessHost host, HubEnvironment environment) {
    AgentSettings settings =
        AgentSettings.defaults()
            .withDriver("command")
            .withCommand("/bin/sh")
            .withPrompt(AgentSettings.PromptBy.FILE);
    return new StdioDriver(host, new CommandDefinition(settings, environment));
  }
}
