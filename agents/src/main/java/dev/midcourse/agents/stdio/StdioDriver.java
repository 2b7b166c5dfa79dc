package dev.midcourse.agents.stdio;

import dev.midcourse.agents.AgentEventBatch.OutputCheckpoint;
import dev.midcourse.agents.AgentListener;
import dev.midcourse.agents.AttemptSpec;
import dev.midcourse.agents.ProgramLookup;
import dev.midcourse.agents.hosted.AgentCommand;
import dev.midcourse.agents.hosted.AgentEnvironment;
import dev.midcourse.agents.hosted.HostedDriver;
import dev.midcourse.agents.process.HostedProcess;
import dev.midcourse.agents.process.ProcessHost;
import dev.midcourse.core.id.SessionId;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The driver of every agent that communicates over standard input and output. A {@link
 * StdioAgentDefinition} describes the agent.
 */
public final class StdioDriver extends HostedDriver {
  private final StdioAgentDefinition definition;

  public StdioDriver(ProcessHost host, StdioAgentDefinition definition) {
    super(host);
    this.definition = definition;
  }

  @Override
  public ProgramLookup find() {
    return definition.find();
  }

  @Override
  public Optional<Set<String>> recorded(AttemptSpec spec, SessionId session, Set<String> passages) {
    Map<String, String> environment =
        AgentEnvironment.of(spec, definition.command(spec).environment());
    return definition.record(session, environment).flatMap(record -> record.holding(passages));
  }

  @Override
  protected AgentCommand command(AttemptSpec spec) {
    return definition.command(spec);
  }

  @Override
  protected HostedAgent agent(
      AttemptSpec spec, HostedProcess program, OutputCheckpoint from, AgentListener listener) {
    Optional<String> memo =
        from.equals(OutputCheckpoint.START) ? Optional.empty() : Optional.of(from.memo());
    return new StdioAgent(
        program, definition.framing(), definition.protocol(spec, memo), from, listener);
  }
}
