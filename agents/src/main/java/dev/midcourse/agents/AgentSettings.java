package dev.midcourse.agents;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The settings of one agent. {@link #defaults} returns the defaults.
 *
 * @param driver the kind of agent it is, where that is not its name
 * @param command the program, by name or path; found on the path by the agent's own name otherwise
 * @param arguments further arguments, after those that the driver needs
 * @param model the name of the model, as the agent spells it; the agent's default otherwise
 * @param environment variables that the agent gets; they replace variables of the same name
 * @param inherit variables of the hub that the agent gets too
 * @param blockedTools tools the model is not offered; the agent's default list otherwise
 * @param prompt how a program that is started anew for each turn gets its prompt
 * @param gateway whether the requests to the model pass the gateway
 */
public record AgentSettings(
    Optional<String> driver,
    Optional<String> command,
    List<String> arguments,
    Optional<String> model,
    Map<String, String> environment,
    Set<String> inherit,
    Home home,
    Permissions permissions,
    Optional<Set<String>> blockedTools,
    Optional<PromptBy> prompt,
    Gateway gateway) {

  /** The home folder of the agent. The home folder decides which login the agent uses. */
  public enum Home {
    /**
     * The home folder of the user: the agent finds the user's settings, login and vendor variables.
     */
    USER,
    /**
     * The home folder of the worker: the agent gets only the settings that are configured for it.
     */
    OWN
  }

  /** The rule for actions that the agent may not do by itself. */
  public enum Permissions {
    /** The agent asks, and a person or a policy answers. */
    ASK,
    /** The agent may do everything without asking. For sandboxes and for trusted agents. */
    BYPASS
  }

  /** Whether the requests of the agent to its model pass the gateway. */
  public enum Gateway {
    /** They pass the gateway, which records them. */
    ON,
    /** The agent talks to its model directly. */
    OFF
  }

  /** The ways in which a program can get its prompt. */
  public enum PromptBy {
    /** The prompt is the last argument. */
    ARGUMENT,
    /** The prompt is in a file whose name is the last argument. */
    FILE,
    /** The prompt is on standard input. */
    STDIN
  }

  public AgentSettings {
    arguments = List.copyOf(arguments);
    environment = Map.copyOf(environment);
    inherit = Set.copyOf(inherit);
    blockedTools = blockedTools.map(Set::copyOf);
  }

  public static AgentSettings defaults() {
    return new AgentSettings(
        Optional.empty(),
        Optional.empty(),
        List.of(),
        Optional.empty(),
        Map.of(),
        Set.of(),
        Home.USER,
        Permissions.ASK,
        Optional.empty(),
        Optional.empty(),
        Gateway.OFF);
  }

  public AgentSettings withDriver(String kind) {
    return with(draft -> draft.driver = Optional.of(kind));
  }

  public AgentSettings withCommand(String program) {
    return with(draft -> draft.command = Optional.of(program));
  }

  public AgentSettings withArguments(List<String> more) {
    return with(draft -> draft.arguments = more);
  }

  public AgentSettings withModel(String name) {
    return with(draft -> draft.model = Optional.of(name));
  }

  public AgentSettings withEnvironment(Map<String, String> variables) {
    return with(draft -> draft.environment = variables);
  }

  public AgentSettings withHome(Home whose) {
    return with(draft -> draft.home = whose);
  }

  public AgentSettings withPermissions(Permissions whoDecides) {
    return with(draft -> draft.permissions = whoDecides);
  }

  public AgentSettings withBlockedTools(Set<String> names) {
    return with(draft -> draft.blockedTools = Optional.of(names));
  }

  public AgentSettings withPrompt(PromptBy way) {
    return with(draft -> draft.prompt = Optional.of(way));
  }

  public AgentSettings withGateway(Gateway passes) {
    return with(draft -> draft.gateway = passes);
  }

  private AgentSettings with(Consumer<Builder> change) {
    Builder draft = new Builder(this);
    change.accept(draft);
    return draft.settings();
  }

  /** A mutable copy of the settings. */
  private static final class Builder {
    private Optional<String> driver;
    private Optional<String> command;
    private List<String> arguments;
    private Optional<String> model;
    private Map<String, String> environment;
    private final Set<String> inherit;
    private Home home;
    private Permissions permissions;
    private Optional<Set<String>> blockedTools;
    private Optional<PromptBy> prompt;
    private Gateway gateway;

    Builder(AgentSettings from) {
      driver = from.driver;
      command = from.command;
      arguments = from.arguments;
      model = from.model;
      environment = from.environment;
      inherit = from.inherit;
      home = from.home;
      permissions = from.permissions;
      blockedTools = from.blockedTools;
      prompt = from.prompt;
      gateway = from.gateway;
    }

    AgentSettings settings() {
      return new AgentSettings(
          driver,
          command,
          arguments,
          model,
          environment,
          inherit,
          home,
          permissions,
          blockedTools,
          prompt,
          gateway);
    }
  }
}
