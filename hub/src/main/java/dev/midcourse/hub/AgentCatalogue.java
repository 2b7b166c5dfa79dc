package dev.midcourse.hub;

import dev.midcourse.agents.Driver;
import dev.midcourse.agents.Drivers;
import dev.midcourse.agents.process.ProcessHost;
import dev.midcourse.agents.rehearsal.RehearsalDriver;
import dev.midcourse.core.id.AgentName;
import java.util.LinkedHashMap;
import java.util.Map;

/** The agents that come with Midcourse. A new one is one more line here. */
final class AgentCatalogue {
  private static final Map<String, Maker> AGENTS = Map.of("rehearsal", RehearsalDriver::new);

  private AgentCatalogue() {}

  /** Makes the driver of one agent. Looks for nothing and starts nothing. */
  @FunctionalInterface
  interface Maker {
    Driver make(ProcessHost host);
  }

  static Drivers drivers(ProcessHost host) {
    Map<AgentName, Driver> drivers = new LinkedHashMap<>();
    AGENTS.forEach((name, maker) -> drivers.put(AgentName.of(name), maker.make(host)));
    return Drivers.of(drivers);
  }
}
