package dev.midcourse.proof.model;

import dev.midcourse.proof.model.wire.Json;
import dev.midcourse.proof.model.wire.OfferedTool;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Finds the shell tool among the tools that an agent offers and formats a command for it, so that
 * one script serves all agents.
 */
final class ShellTool {
  private static final List<String> NAMES =
      List.of("Bash", "bash", "exec_command", "shell_command", "shell", "run_shell_command");

  /** The longest timeout of shells that otherwise move a long command to the background. */
  private static final Map<String, Integer> TIMEOUT =
      Map.of("yield_time_ms", 30_000, "initial_wait", 600);

  private static final List<String> COMMAND_PROPERTIES = List.of("command", "cmd");

  private ShellTool() {}

  static ToolCall.Named call(String command, List<OfferedTool> offered) {
    var tool =
        NAMES.stream()
            .flatMap(name -> offered.stream().filter(tool2 -> tool2.name().equals(name)))
            .findFirst()
            .orElseThrow(() -> new IllegalStateException("no shell among " + names(offered)));
    var properties = tool.schema().path("properties");
    var property =
        COMMAND_PROPERTIES.stream()
            .filter(properties::has)
            .findFirst()
            .orElseThrow(() -> new IllegalStateException("no command in " + tool));
    var arguments = SchemaExample.object(tool.schema());
    if (SchemaExample.type(properties.path(property)).equals("array")) {
      arguments.set(property, Json.array("bash", "-c", command));
    } else {
      arguments.put(property, command);
    }
    TIMEOUT.forEach((name, max) -> {
      if (properties.has(name)) {
        arguments.put(name, max);
      }
    });
    return new ToolCall.Named(tool.name(), arguments);
  }

  private static String names(List<OfferedTool> offered) {
    return offered.stream().map(OfferedTool::name).collect(Collectors.joining(", "));
  }
}
