package dev.midcourse.agents.hosted;

import dev.midcourse.agents.Agent;
import dev.midcourse.agents.Ear;
import dev.midcourse.agents.Heard;
import dev.midcourse.core.agent.AgentEvent;
import dev.midcourse.core.id.SteerId;
import java.util.List;

/** An agent that there is no program of: its exit is all that is ever heard of it. */
public final class AbsentAgent implements Agent {

  public AbsentAgent(AgentEvent.Exited exit, Heard.Place place, Ear ear) {
    Heard heard = new Heard(List.of(exit), place);
    Thread.startVirtualThread(() -> ear.heard(heard));
  }

  @Override
  public long pid() {
    return 0;
  }

  @Override
  public Sent prompt(int number, String message) {
    return Sent.GONE;
  }

  @Override
  public Sent steer(SteerId steer, String message) {
    return Sent.GONE;
  }

  @Override
  public Sent interrupt() {
    return Sent.GONE;
  }

  @Override
  public Sent withdraw(SteerId steer) {
    return Sent.GONE;
  }

  @Override
  public Sent answer(String ask, Answer answer) {
    return Sent.GONE;
  }

  @Override
  public Sent barrier(String name) {
    return Sent.GONE;
  }

  @Override
  public Ended end(Grace grace) {
    return new Ended(0, 0, 0);
  }

  @Override
  public void detach() {}
}
