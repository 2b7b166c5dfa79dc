package dev.midcourse.engine;

import dev.midcourse.agents.Agent;
import dev.midcourse.agents.Driver;
import dev.midcourse.agents.Ear;
import dev.midcourse.agents.Finding;
import dev.midcourse.agents.Heard;
import dev.midcourse.agents.Order;
import dev.midcourse.core.agent.AgentEvent;
import dev.midcourse.core.id.AgentName;
import dev.midcourse.core.id.SteerId;
import java.util.List;

/** Stands in for an agent this hub does not know: it ends at once and says so. */
record NoDriver(AgentName name) implements Driver, Agent {
  private static final int COMMAND_NOT_FOUND = 127;

  @Override
  public Finding find() {
    return new Finding.Missing(name.value(), "no agent of this name is configured");
  }

  @Override
  public Agent start(Order order, Ear ear) {
    ear.heard(
        new Heard(
            List.of(
                new AgentEvent.Exited(
                    COMMAND_NOT_FOUND, "no agent called " + name + " is configured here")),
            Heard.Place.START));
    return this;
  }

  @Override
  public Agent attach(Order order, Heard.Place from, Ear ear) {
    return start(order, ear);
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
  public Sent barrier(String barrier) {
    return Sent.GONE;
  }

  @Override
  public Ended end(Grace grace) {
    return new Ended(0, 0, 0);
  }

  @Override
  public void detach() {}
}
