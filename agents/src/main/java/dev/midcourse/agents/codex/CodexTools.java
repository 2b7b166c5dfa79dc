package dev.midcourse.agents.codex;

import dev.midcourse.agents.ToolServer;
import dev.midcourse.core.json.JsonValue;
import dev.midcourse.core.json.JsonWriter;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The tools of Codex that can be blocked, and the switch for each. One switch can block several
 * tools.
 */
final class CodexTools {
  /** The goal tools. With a goal, Codex starts turns by itself, and no run waits for them. */
  static final Set<String> BLOCKED_BY_DEFAULT = Set.of("create_goal", "get_goal", "update_goal");

  private static final Map<String, List<String>> SWITCHES =
      Map.of(
          "create_goal", disable("goals"),
          "get_goal", disable("goals"),
          "update_goal", disable("goals"),
          "exec_command", disable("shell_tool"),
          "write_stdin", disable("shell_tool"),
          "multi_agent_v1", disable("multi_agent"),
          "view_image", disable("view_image"),
          "web_search", List.of("-c", "web_search=\"disabled\""));

  private CodexTools() {}

  private static List<String> disable(String feature) {
    return List.of("--disable", feature);
  }

  /**
   * Returns the arguments that block these tools.
   *
   * @throws IllegalArgumentException if Codex has no switch for a tool: Codex must not start with a
   *     tool that the user believes to be blocked
   */
  static List<String> arguments(Set<String> blocked) {
    Set<List<String>> switches = new LinkedHashSet<>();
    for (String tool : blocked.stream().sorted().toList()) {
      List<String> off = SWITCHES.get(tool);
      if (off == null) {
        throw new IllegalArgumentException(
            "Codex cannot be kept from "
                + tool
                + ", only from "
                + SWITCHES.keySet().stream().sorted().toList());
      }
      switches.add(off);
    }
    List<String> arguments = new ArrayList<>();
    switches.forEach(arguments::addAll);
    return arguments;
  }

  /**
   * Returns the arguments that add a server of tools to those of the user's own settings. Its tools
   * need no permission, and may wait for a person.
   */
  static List<String> serverArguments(ToolServer server) {
    String table = "mcp_servers." + ToolServer.NAME + ".";
    List<String> arguments = new ArrayList<>();
    for (String setting :
        List.of(
            "command=" + toml(server.command()),
            "args=" + tomlList(server.arguments()),
            "env=" + tomlTable(server.environment()),
            "tool_timeout_sec=" + ToolServer.CALL_TIMEOUT.toSeconds(),
            "default_tools_approval_mode=\"approve\"")) {
      arguments.addAll(List.of("-c", table + setting));
    }
    return arguments;
  }

  private static String tomlList(List<String> texts) {
    return texts.stream().map(CodexTools::toml).collect(Collectors.joining(", ", "[", "]"));
  }

  private static String tomlTable(Map<String, String> entries) {
    return new TreeMap<>(entries)
        .entrySet().stream()
            .map(entry -> toml(entry.getKey()) + " = " + toml(entry.getValue()))
            .collect(Collectors.joining(", ", "{", "}"));
  }

  /** A basic string of TOML has the escapes of JSON. */
  private static String toml(String text) {
    return JsonWriter.compact(new JsonValue.Str(text));
  }
}
