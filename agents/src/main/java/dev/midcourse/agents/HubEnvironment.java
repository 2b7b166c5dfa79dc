package dev.midcourse.agents;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The environment the hub itself was started with. Agents inherit nothing of it by themselves; what
 * they need of it is named, variable by variable, by whoever knows the agent.
 */
public record HubEnvironment(Map<String, String> variables) {

  /** Who the user is, for programs that look a login up by name. */
  private static final Set<String> WHO = Set.of("HOME", "USER", "LOGNAME");

  public HubEnvironment {
    variables = Map.copyOf(variables);
  }

  public static HubEnvironment ofThisProcess() {
    return new HubEnvironment(System.getenv());
  }

  public String path() {
    return variables.getOrDefault("PATH", "");
  }

  /**
   * What an agent gets: with the user's home also who the user is and those of the vendor's own
   * variables that are set; then those that the settings name, then what they say themselves.
   */
  public Map<String, String> forAgent(AgentSettings settings, Set<String> vendorVariables) {
    Map<String, String> given = new TreeMap<>();
    switch (settings.home()) {
      case USER -> {
        copy(WHO, given);
        given.putIfAbsent("HOME", System.getProperty("user.home"));
        copy(vendorVariables, given);
      }
      case OWN -> {}
    }
    copy(settings.inherit(), given);
    given.putAll(settings.environment());
    return given;
  }

  private void copy(Set<String> names, Map<String, String> to) {
    for (String name : names) {
      String value = variables.get(name);
      if (value != null) {
        to.put(name, value);
      }
    }
  }
}
