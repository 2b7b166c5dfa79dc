package dev.midcourse.agents.catalogue;

import dev.midcourse.agents.AgentSettings;
import dev.midcourse.agents.Driver;
import dev.midcourse.agents.Drivers;
import dev.midcourse.agents.HubEnvironment;
import dev.midcourse.agents.claude.ClaudeDialect;
import dev.midcourse.agents.codex.CodexDialect;
import dev.midcourse.agents.pi.PiDialect;
import dev.midcourse.agents.process.ProcessHost;
import dev.midcourse.agents.rehearsal.RehearsalDriver;
import dev.midcourse.agents.stdio.Dialect;
import dev.midcourse.agents.stdio.StdioDriver;
import dev.midcourse.core.Problem;
import dev.midcourse.core.Wire;
import dev.midcourse.core.id.AgentName;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

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
    known.put("codex", (here, s) -> here.stdio(new CodexDialect(s, here.hub)));
    known.put("pi", (here, s) -> here.stdio(new PiDialect(s, here.hub)));
    known.put("rehearsal", (here, s) -> here.rehearsal(s));
    return known;
  }

  /** The kind of that name, or a refusal that lists the kinds there are. */
  public static String kind(String name) {
    if (!KNOWN.containsKey(name)) {
      throw Problem.invalid(
              "driver",
              "one of: " + kinds(),
              "there is no driver " + Wire.shown(name) + "; there are: " + kinds())
          .refused();
    }
    return name;
  }

  /** The settings themselves, if an agent of that name can be made of them. */
  public static AgentSettings checked(AgentName name, AgentSettings settings) {
    if (settings.driver().isEmpty() && !KNOWN.containsKey(name.value())) {
      throw Problem.invalid(
              "driver",
              "one of: " + kinds(),
              "Midcourse does not know "
                  + name
                  + ", so driver must say how to talk to it: one of "
                  + kinds())
          .refused();
    }
    return settings;
  }

  private static String kinds() {
    return String.join(", ", KNOWN.keySet());
  }

  /** A driver for every known agent and every one that is written of. */
  public Drivers drivers(Map<AgentName, AgentSettings> written) {
    Map<AgentName, AgentSettings> all = new LinkedHashMap<>();
    KNOWN.keySet().forEach(name -> all.put(AgentName.of(name), AgentSettings.usual()));
    all.putAll(written);
    Map<AgentName, Driver> drivers = new LinkedHashMap<>();
    all.forEach((name, settings) -> drivers.put(name, driver(name, settings)));
    return Drivers.of(drivers);
  }

  private Driver driver(AgentName name, AgentSettings settings) {
    String kind = kind(checked(name, settings).driver().orElse(name.value()));
    return Objects.requireNonNull(KNOWN.get(kind)).driver(this, settings);
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
