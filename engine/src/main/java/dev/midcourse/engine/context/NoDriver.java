package dev.midcourse.engine.context;

import dev.midcourse.agents.Agent;
import dev.midcourse.agents.AgentEventBatch;
import dev.midcourse.agents.AgentListener;
import dev.midcourse.agents.AttemptSpec;
import dev.midcourse.agents.Driver;
import dev.midcourse.agents.ProgramLookup;
import dev.midcourse.agents.hosted.MissingAgent;
import dev.midcourse.core.agent.AgentEvent;
import dev.midcourse.core.id.AgentName;

/** The driver of an agent that is not configured. Its attempts end at once with that reason. */
public record NoDriver(AgentName name) implements Driver {
  private static final int COMMAND_NOT_FOUND = 127;

  @Override
  public ProgramLookup find() {
    return new ProgramLookup.Missing(name.value(), "no agent of this name is configured");
  }

  @Override
  public Agent start(AttemptSpec spec, AgentListener listener) {
    String words = "no agent called " + name + " is configured here";
    return new MissingAgent(
        new AgentEvent.Exited(COMMAND_NOT_FOUND, words),
        AgentEventBatch.OutputCheckpoint.START,
        listener);
  }

  @Override
  public Agent attach(
      AttemptSpec spec, AgentEventBatch.OutputCheckpoint from, AgentListener listener) {
    return start(spec, listener);
  }
}
