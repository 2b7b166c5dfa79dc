package dev.midcourse.agents;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * How one agent is to be run: what people write about it in their settings. {@link #usual} is what
 * holds where they write nothing.
 *
 * @param driver the kind of agent it is, where that is not its name
 * @param command the program, by name or path; found on the path by the agent's own name otherwise
 * @param arguments further arguments, after those that the driver needs
 * @param model the model to use, in the agent's own words; its own choice otherwise
 * @param environment variables that the agent gets, above everything else
 * @param inherit variables of the hub that the agent gets too
 * @param blockedTools tools the model is not offered; the agent's usual list otherwise
 * @param prompt how a program that is called anew for each turn is given its prompt
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
    Optional<PromptBy> prompt) {

  /** Whose home folder the agent works from, and so whose login it uses. */
  public enum Home {
    /** The user's own: the agent finds the user's settings, login and vendor variables. */
    USER,
    /** The worker's: the agent has nothing but what its settings give it. */
    OWN
  }

  /** Who decides about what the agent may not do by itself. */
  public enum Permissions {
    /** It asks, and a person or a policy answers. */
    ASK,
    /** Nobody: it may do everything. For sandboxes and for people who trust it. */
    BYPASS
  }

  /** The ways a program can be given its prompt. */
  public enum PromptBy {
    /** As its last argument. */
    ARGUMENT,
    /** In a file whose name is its last argument. */
    FILE,
    /** On its standard input. */
    STDIN
  }

  public AgentSettings {
    arguments = List.copyOf(arguments);
    environment = Map.copyOf(environment);
    inherit = Set.copyOf(inherit);
    blockedTools = blockedTools.map(Set::copyOf);
  }

  public static AgentSettings usual() {
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
        Optional.empty());
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

  private AgentSettings with(Consumer<Builder> change) {
    Builder draft = new Builder(this);
    change.accept(draft);
    return draft.settings();
  }

  /** A copy in which something can be changed. */
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
          prompt);
    }
  }
}
