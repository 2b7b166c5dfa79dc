package dev.midcourse.agents.codex;

import dev.midcourse.agents.stdio.ProtocolJson;
import dev.midcourse.agents.stdio.ToolSummary;
import dev.midcourse.core.agent.AgentEvent;
import dev.midcourse.core.agent.Usage;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** Maps the tools, the usage and the retries of the model to events. */
final class CodexEventMapper {
  private CodexEventMapper() {}

  /** The name of the tool that the item describes; empty if the item is not a tool. */
  private static Optional<String> tool(JsonNode item) {
    return switch (ProtocolJson.text(item, "type")) {
      case "commandExecution" -> Optional.of("shell");
      case "fileChange" -> Optional.of("edit");
      case "mcpToolCall" ->
          Optional.of(ProtocolJson.text(item, "server") + "." + ProtocolJson.text(item, "tool"));
      case "dynamicToolCall", "collabAgentToolCall" -> Optional.of(ProtocolJson.text(item, "tool"));
      case "webSearch" -> Optional.of("web_search");
      case "imageView" -> Optional.of("view_image");
      case "imageGeneration" -> Optional.of("image_generation");
      case "sleep" -> Optional.of("sleep");
      default -> Optional.empty();
    };
  }

  static List<AgentEvent> started(JsonNode item) {
    return tool(item)
        .<List<AgentEvent>>map(name ->
            List.of(
                new AgentEvent.ToolStarted(
                    ProtocolJson.text(item, "id"), name, summary(item), Optional.empty())))
        .orElse(List.of());
  }

  static List<AgentEvent> finished(JsonNode item) {
    return tool(item)
        .<List<AgentEvent>>map(name -> {
          String status = ProtocolJson.text(item, "status");
          boolean ok = !status.equals("failed") && !status.equals("declined");
          return List.of(
              new AgentEvent.ToolFinished(ProtocolJson.text(item, "id"), ok, outcome(item)));
        })
        .orElse(List.of());
  }

  private static String summary(JsonNode item) {
    return switch (ProtocolJson.text(item, "type")) {
      case "commandExecution" -> ToolSummary.first(command(item));
      case "fileChange" ->
          ToolSummary.first(
              item.path("changes")
                  .valueStream()
                  .map(change -> ProtocolJson.text(change, "path"))
                  .collect(Collectors.joining(", ")));
      case "mcpToolCall", "dynamicToolCall" -> ToolSummary.of(item.path("arguments"));
      default ->
          List.of("query", "path", "prompt", "revisedPrompt").stream()
              .map(field -> ProtocolJson.text(item, field))
              .filter(text -> !text.isBlank())
              .findFirst()
              .map(ToolSummary::first)
              .orElse("");
    };
  }

  /** The command as the model wrote it, without the shell that runs it. */
  static String command(JsonNode of) {
    JsonNode actions = of.path("commandActions");
    String written = ProtocolJson.text(actions.path(0), "command");
    return actions.size() == 1 && !written.isEmpty() ? written : ProtocolJson.text(of, "command");
  }

  private static String outcome(JsonNode item) {
    String output = ToolSummary.first(ProtocolJson.text(item, "aggregatedOutput"));
    if (!output.isEmpty()) {
      return output;
    }
    JsonNode exit = item.path("exitCode");
    return exit.isNumber() ? "exit " + exit.asInt() : ProtocolJson.text(item, "status");
  }

  static List<AgentEvent> output(JsonNode delta) {
    List<String> lines = ProtocolJson.text(delta, "delta").strip().lines().toList();
    return lines.isEmpty()
        ? List.of()
        : List.of(
            new AgentEvent.ToolOutput(
                ProtocolJson.text(delta, "itemId"), ToolSummary.first(lines.getLast())));
  }

  static Usage spent(JsonNode usage) {
    return new Usage(usage.path("inputTokens").asLong(), usage.path("outputTokens").asLong(), 0);
  }

  static AgentEvent retry(JsonNode error) {
    String details = ProtocolJson.text(error, "additionalDetails");
    String message = ProtocolJson.text(error, "message");
    return new AgentEvent.Waiting(
        ToolSummary.first(details.isEmpty() ? message : message + " " + details));
  }
}
