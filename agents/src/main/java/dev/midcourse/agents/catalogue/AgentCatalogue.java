package dev.midcourse.agents.catalogue;

import dev.midcourse.agents.AgentSettings;
import dev.midcourse.agents.Driver;
import dev.midcourse.agents.Drivers;
import dev.midcourse.agents.HubEnvironment;
import dev.midcourse.agents.acp.AcpAgentDefinition;
import dev.midcourse.agents.acp.AcpProgram;
import dev.midcourse.agents.claude.ClaudeDefinition;
import dev.midcourse.agents.codex.CodexDefinition;
import dev.midcourse.agents.command.CommandDefinition;
import dev.midcourse.agents.copilot.CopilotDefinition;
import dev.midcourse.agents.opencode.OpenCodeDriver;
import dev.midcourse.agents.pi.PiDefinition;
import dev.midcourse.agents.process.ProcessHost;
import dev.midcourse.agents.rehearsal.RehearsalDriver;
import dev.midcourse.agents.stdio.StdioAgentDefinition;
import dev.midcourse.agents.stdio.StdioDriver;
import dev.midcourse.core.Problem;
import dev.midcourse.core.WireNames;
import dev.midcourse.core.id.AgentName;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The agents that Midcourse can drive. To add a driver, add a line to {@link #known} with the
 * common name of the agent.
 */
public record AgentCatalogue(ProcessHost host, HubEnvironment hub) {

  /** Creates the driver of one agent from its settings. */
  @FunctionalInterface
  private interface Make {
    Driver driver(AgentCatalogue here, AgentSettings settings);
  }

  /** The agents that need no settings, by name. */
  private static final Map<String, Make> KNOWN = known();

  /** The drivers for a program of the user's own. The settings name the program. */
  private static final Map<String, Make> FOR_OWN_PROGRAMS =
      Map.of(
          "acp", (here, s) -> here.stdio(new AcpAgentDefinition(AcpProgram.OWN, s, here.hub)),
          "command", (here, s) -> here.stdio(new CommandDefinition(s, here.hub)));

  private static Map<String, Make> known() {
    Map<String, Make> known = new LinkedHashMap<>();
    known.put("claude", (here, s) -> here.stdio(new ClaudeDefinition(s, here.hub)));
    known.put("codex", (here, s) -> here.stdio(new CodexDefinition(s, here.hub)));
    known.put("copilot", (here, s) -> here.stdio(new CopilotDefinition(s, here.hub)));
    known.put(
        "gemini", (here, s) -> here.stdio(new AcpAgentDefinition(AcpProgram.GEMINI, s, here.hub)));
    known.put("opencode", (here, s) -> new OpenCodeDriver(here.host, s, here.hub));
    known.put("pi", (here, s) -> here.stdio(new PiDefinition(s, here.hub)));
    known.put("rehearsal", (here, s) -> here.rehearsal(s));
    return known;
  }

  /**
   * Returns the name if there is a driver of that name; otherwise refuses it with a list of the
   * drivers.
   */
  public static String kind(String name) {
    if (!KNOWN.containsKey(name) && !FOR_OWN_PROGRAMS.containsKey(name)) {
      throw Problem.invalid(
              "driver",
              "one of: " + kinds(),
              "there is no driver " + WireNames.shown(name) + "; there are: " + kinds())
          .refused();
    }
    return name;
  }

  /**
   * Returns the settings if an agent of that name can be created from them; otherwise refuses them.
   */
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
    boolean own = settings.driver().filter(FOR_OWN_PROGRAMS::containsKey).isPresent();
    if (own && settings.command().isEmpty()) {
      throw Problem.invalid("command", "a program", name + " must say its command").refused();
    }
    if (settings.prompt().isPresent() && !settings.driver().equals(Optional.of("command"))) {
      throw Problem.invalid(
              "prompt",
              "only with driver = \"command\"",
              name + ": prompt is for agents whose driver is \"command\"")
          .refused();
    }
    if (settings.gateway() == AgentSettings.Gateway.ON && !isClaude(name, settings)) {
      throw Problem.invalid(
              "gateway",
              "only with the driver claude",
              name + ": gateway = \"on\" is for agents whose driver is \"claude\"")
          .refused();
    }
    return settings;
  }

  private static boolean isClaude(AgentName name, AgentSettings settings) {
    return settings.driver().orElse(name.value()).equals("claude");
  }

  private static String kinds() {
    return Stream.concat(KNOWN.keySet().stream(), FOR_OWN_PROGRAMS.keySet().stream().sorted())
        .collect(Collectors.joining(", "));
  }

  /** Returns a driver for every known agent and for every agent in the settings. */
  public Drivers drivers(Map<AgentName, AgentSettings> written) {
    Map<AgentName, AgentSettings> all = new LinkedHashMap<>();
    KNOWN.keySet().forEach(name -> all.put(AgentName.of(name), AgentSettings.defaults()));
    all.putAll(written);
    Map<AgentName, Driver> drivers = new LinkedHashMap<>();
    all.forEach((name, settings) -> drivers.put(name, driver(name, settings)));
    return Drivers.of(drivers);
  }

  private Driver driver(AgentName name, AgentSettings settings) {
    String kind = kind(checked(name, settings).driver().orElse(name.value()));
    Make make = FOR_OWN_PROGRAMS.getOrDefault(kind, KNOWN.get(kind));
    return Objects.requireNonNull(make).driver(this, settings);
  }

  private Driver stdio(StdioAgentDefinition definition) {
    return new StdioDriver(host, definition);
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
