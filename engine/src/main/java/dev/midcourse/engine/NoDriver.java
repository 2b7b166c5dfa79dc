package dev.midcourse.engine;

import dev.midcourse.agents.Agent;
import dev.midcourse.agents.Driver;
import dev.midcourse.agents.Ear;
import dev.midcourse.agents.Finding;
import dev.midcourse.agents.Heard;
import dev.midcourse.agents.Order;
import dev.midcourse.agents.hosted.AbsentAgent;
import dev.midcourse.core.agent.AgentEvent;
import dev.midcourse.core.id.AgentName;

/** Stands in for an agent this hub does not know: it ends at once and says so. */
public record NoDriver(AgentName name) implements Driver {
  private static final int COMMAND_NOT_FOUND = 127;

  @Override
  public Finding find() {
    return new Finding.Missing(name.value(), "no agent of this name is configured");
  }

  @Override
  public Agent start(Order order, Ear ear) {
    String words = "no agent called " + name + " is configured here";
    return new AbsentAgent(new AgentEvent.Exited(COMMAND_NOT_FOUND, words), Heard.Place.START, ear);
  }

  @Override
  public Agent attach(Order order, Heard.Place from, Ear ear) {
    return start(order, ear);
  }
}
