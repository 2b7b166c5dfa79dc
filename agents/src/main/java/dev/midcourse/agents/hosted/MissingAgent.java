package dev.midcourse.agents.hosted;

import dev.midcourse.agents.Agent;
import dev.midcourse.agents.AgentEventBatch;
import dev.midcourse.agents.AgentListener;
import dev.midcourse.agents.process.tree.StopTimeouts;
import dev.midcourse.core.agent.AgentEvent;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.run.AskAnswer;
import java.util.List;

/** An agent without a program. Its only event is {@code Exited}. */
public final class MissingAgent implements Agent {

  public MissingAgent(
      AgentEvent.Exited exit, AgentEventBatch.OutputCheckpoint place, AgentListener listener) {
    AgentEventBatch batch = new AgentEventBatch(List.of(exit), place);
    Thread.startVirtualThread(() -> listener.onEvents(batch));
  }

  @Override
  public long pid() {
    return 0;
  }

  @Override
  public WriteResult prompt(int number, String message) {
    return WriteResult.EXITED;
  }

  @Override
  public WriteResult steer(SteerId steer, String message) {
    return WriteResult.EXITED;
  }

  @Override
  public WriteResult interrupt() {
    return WriteResult.EXITED;
  }

  @Override
  public WriteResult withdraw(SteerId steer) {
    return WriteResult.EXITED;
  }

  @Override
  public WriteResult answer(String ask, AskAnswer answer) {
    return WriteResult.EXITED;
  }

  @Override
  public WriteResult barrier(String name) {
    return WriteResult.EXITED;
  }

  @Override
  public StopResult end(StopTimeouts timeouts) {
    return new StopResult(0, 0, 0);
  }

  @Override
  public void detach() {}
}
