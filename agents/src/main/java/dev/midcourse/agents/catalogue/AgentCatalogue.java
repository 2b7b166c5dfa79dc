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
 * The agents Midcourse can drive. A new driver is one line in {@link #KNOWN}, under the name people
 * use for it.
 */
public record AgentCatalogue(ProcessHost host, HubEnvironment hub) {

  /** Makes the driver of one agent from what is written about it. */
  @FunctionalInterface
  private interface Make {
    Driver driver(AgentCatalogue here, AgentSettings settings);
  }

  /** The agents there are without a word in the settings. */
  private static final Map<String, Make> KNOWN = known();

  /** How to talk to a program of the user's own; the settings name the program. */
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

  /** The kind of that name, or a refusal that lists the kinds there are. */
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
    return settings;
  }

  private static String kinds() {
    return Stream.concat(KNOWN.keySet().stream(), FOR_OWN_PROGRAMS.keySet().stream().sorted())
        .collect(Collectors.joining(", "));
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
