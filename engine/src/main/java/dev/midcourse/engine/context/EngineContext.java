package dev.midcourse.engine.context;

import dev.midcourse.agents.Driver;
import dev.midcourse.agents.Drivers;
import dev.midcourse.core.id.AgentName;
import dev.midcourse.core.id.Ids;
import dev.midcourse.ledger.Ledger;
import java.time.InstantSource;

/** The dependencies that all parts of the engine share. Every component is safe for all threads. */
public record EngineContext(
    Ledger ledger, Drivers drivers, EngineSettings settings, InstantSource clock, Ids ids) {

  /**
   * The driver of this agent. Without one, a stand-in whose attempts end at once with the reason.
   */
  public Driver driver(AgentName agent) {
    return drivers.named(agent).orElseGet(() -> new NoDriver(agent));
  }

  public AttemptSpecs attemptSpecs() {
    return new AttemptSpecs(settings, ledger);
  }
}
