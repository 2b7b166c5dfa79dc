package dev.midcourse.proof.soak;

import dev.midcourse.agents.Agent;
import dev.midcourse.agents.AgentEventBatch;
import dev.midcourse.agents.AgentListener;
import dev.midcourse.agents.AttemptSpec;
import dev.midcourse.agents.Driver;
import dev.midcourse.agents.ProgramLookup;
import dev.midcourse.agents.rehearsal.InProcessRehearsal;
import dev.midcourse.core.id.SessionId;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * In-process rehearsal agents that can drop their sessions. A real agent keeps its sessions in its
 * own process, so their memory does not count as the hub's.
 */
final class FreshInProcessAgents implements Driver, AutoCloseable {
  private volatile InProcessRehearsal twins = fresh();

  private static InProcessRehearsal fresh() {
    return new InProcessRehearsal(Duration.ofMillis(20));
  }

  /** Every conversation is gone; none may be under way. */
  void forget() {
    twins.close();
    twins = fresh();
  }

  @Override
  public ProgramLookup find() {
    return twins.find();
  }

  @Override
  public Agent start(AttemptSpec spec, AgentListener listener) {
    return twins.start(spec, listener);
  }

  @Override
  public Agent attach(
      AttemptSpec spec, AgentEventBatch.OutputCheckpoint from, AgentListener listener) {
    return twins.attach(spec, from, listener);
  }

  @Override
  public Optional<Set<String>> recorded(AttemptSpec spec, SessionId session, Set<String> passages) {
    return twins.recorded(spec, session, passages);
  }

  @Override
  public void close() {
    twins.close();
  }
}
