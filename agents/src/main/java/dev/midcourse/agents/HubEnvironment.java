package dev.midcourse.agents;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The environment the hub itself was started with. Agents inherit nothing of it by themselves; what
 * they need of it is named, variable by variable, by whoever knows the agent.
 */
public record HubEnvironment(Map<String, String> variables) {

  private static final Pattern UTF_8 = Pattern.compile("(?i).*utf-?8.*");

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
   * A locale for an agent whose encoding is UTF-8: in the C locale it would read and write "?" for
   * most letters. The locale of the hub is kept if its encoding is UTF-8. {@code LC_ALL} becomes
   * {@code LANG}, which means the same and which the settings of an agent can replace.
   */
  public Map<String, String> utf8Locale() {
    Map<String, String> locale = new TreeMap<>();
    String all = variables.getOrDefault("LC_ALL", "");
    if (all.isEmpty()) {
      copy(Set.of("LANG", "LC_CTYPE"), locale);
    } else {
      locale.put("LANG", all);
    }
    locale.values().removeIf(name -> !UTF_8.matcher(name).matches());
    locale.putIfAbsent("LANG", defaultLocale(System.getProperty("os.name", "")));
    return locale;
  }

  /** Older versions of macOS do not have {@code C.UTF-8}. */
  static String defaultLocale(String system) {
    return system.startsWith("Mac") ? "en_US.UTF-8" : "C.UTF-8";
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
