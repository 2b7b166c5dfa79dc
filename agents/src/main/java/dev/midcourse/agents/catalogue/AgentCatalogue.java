package dev.midcourse.agents.catalogue;

import dev.midcourse.agents.AgentSettings;
import dev.midcourse.agents.Driver;
import dev.midcourse.agents.Drivers;
import dev.midcourse.agents.HubEnvironment;
import dev.midcourse.agents.claude.ClaudeDialect;
import dev.midcourse.agents.pi.PiDialect;
import dev.midcourse.agents.process.ProcessHost;
import dev.midcourse.agents.rehearsal.RehearsalDriver;
import dev.midcourse.agents.stdio.Dialect;
import dev.midcourse.agents.stdio.StdioDriver;
import dev.midcourse.core.id.AgentName;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The agents Midcourse can drive. A new driver is one line in {@link #KNOWN}, under the name people
 * use for it.
 */
public record AgentCatalogue(ProcessHost host, HubEnvironment hub) {

  /** Makes the driver of one agent from what is written about it. */
  @FunctionalInterface
  private interface Make {
    Driver driver(AgentCatalogue here, AgentSettings settings);
  }

  private static final Map<String, Make> KNOWN = known();

  private static Map<String, Make> known() {
    Map<String, Make> known = new LinkedHashMap<>();
    known.put("claude", (here, s) -> here.stdio(new ClaudeDialect(s, here.hub)));
    known.put("pi", (here, s) -> here.stdio(new PiDialect(s, here.hub)));
    known.put("rehearsal", (here, s) -> here.rehearsal(s));
    return known;
  }

  /** A driver for every known agent, with the settings that are written for it or the usual. */
  public Drivers drivers(Map<AgentName, AgentSettings> written) {
    Map<AgentName, Driver> drivers = new LinkedHashMap<>();
    for (Map.Entry<String, Make> entry : KNOWN.entrySet()) {
      AgentName name = AgentName.of(entry.getKey());
      AgentSettings settings = written.getOrDefault(name, AgentSettings.usual());
      drivers.put(name, entry.getValue().driver(this, settings));
    }
    return Drivers.of(drivers);
  }

  private Driver stdio(Dialect dialect) {
    return new StdioDriver(host, dialect);
  }

  private Driver rehearsal(AgentSettings settings) {
    return settings
        .command()
        .<Driver>map(command -> {
          List<String> words = new ArrayList<>(List.of(command));
          words.addAll(settings.arguments());
          return new RehearsalDriver(host, words);
        })
        .orElseGet(() -> new RehearsalDriver(host));
  }
}
