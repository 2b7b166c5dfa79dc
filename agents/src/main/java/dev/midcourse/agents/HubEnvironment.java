package dev.midcourse.agents;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The environment variables of the hub process. An agent inherits none of them by default; the
 * agent's driver and settings name each variable that the agent needs.
 */
public record HubEnvironment(Map<String, String> variables) {

  private static final Pattern UTF_8 = Pattern.compile("(?i).*utf-?8.*");

  /** The variables that identify the user, for programs that look up a login by name. */
  private static final Set<String> USER_VARIABLES = Set.of("HOME", "USER", "LOGNAME");

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
   * Returns the variables of a locale whose encoding is UTF-8. In the C locale, an agent would read
   * and write "?" for most letters. The locale of the hub is kept if its encoding is UTF-8. {@code
   * LC_ALL} becomes {@code LANG}, because the settings of an agent can replace {@code LANG}.
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

  /**
   * Returns the default locale of a system. Older versions of macOS do not have {@code C.UTF-8}.
   */
  static String defaultLocale(String system) {
    return system.startsWith("Mac") ? "en_US.UTF-8" : "C.UTF-8";
  }

  /**
   * Returns the variables that an agent gets. An agent with the user's home gets the variables that
   * identify the user and the vendor variables that are set. Every agent gets the variables of the
   * hub that its settings name, and the variables that its settings define.
   */
  public Map<String, String> forAgent(AgentSettings settings, Set<String> vendorVariables) {
    Map<String, String> given = new TreeMap<>();
    switch (settings.home()) {
      case USER -> {
        copy(USER_VARIABLES, given);
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
