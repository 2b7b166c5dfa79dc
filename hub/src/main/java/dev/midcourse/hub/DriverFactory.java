package dev.midcourse.hub;

import dev.midcourse.agents.Drivers;
import dev.midcourse.agents.process.ProcessHost;

/** Who works for a hub: makes the drivers of its agents. */
@FunctionalInterface
public interface DriverFactory {
  Drivers drivers(ProcessHost host);
}
