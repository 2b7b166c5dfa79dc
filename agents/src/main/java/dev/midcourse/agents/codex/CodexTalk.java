package dev.midcourse.agents.codex;

import dev.midcourse.agents.stdio.Json;
import dev.midcourse.agents.stdio.ToolLine;
import dev.midcourse.core.agent.AgentEvent;
import dev.midcourse.core.run.Spent;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** Which tools the model uses and what that takes, in our words. */
final class CodexTalk {
  private CodexTalk() {}

  /** The name of the tool that an item is, if it is one. */
  private static Optional<String> tool(JsonNode item) {
    return switch (Json.text(item, "type")) {
      case "commandExecution" -> Optional.of("shell");
      case "fileChange" -> Optional.of("edit");
      case "mcpToolCall" -> Optional.of(Json.text(item, "server") + "." + Json.text(item, "tool"));
      case "dynamicToolCall", "collabAgentToolCall" -> Optional.of(Json.text(item, "tool"));
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
                    Json.text(item, "id"), name, summary(item), Optional.empty())))
        .orElse(List.of());
  }

  static List<AgentEvent> finished(JsonNode item) {
    return tool(item)
        .<List<AgentEvent>>map(name -> {
          String status = Json.text(item, "status");
          boolean ok = !status.equals("failed") && !status.equals("declined");
          return List.of(new AgentEvent.ToolFinished(Json.text(item, "id"), ok, outcome(item)));
        })
        .orElse(List.of());
  }

  private static String summary(JsonNode item) {
    return switch (Json.text(item, "type")) {
      case "commandExecution" -> ToolLine.first(command(item));
      case "fileChange" ->
          ToolLine.first(
              item.path("changes")
                  .valueStream()
                  .map(change -> Json.text(change, "path"))
                  .collect(Collectors.joining(", ")));
      case "mcpToolCall", "dynamicToolCall" -> ToolLine.of(item.path("arguments"));
      default ->
          List.of("query", "path", "prompt", "revisedPrompt").stream()
              .map(field -> Json.text(item, field))
              .filter(text -> !text.isBlank())
              .findFirst()
              .map(ToolLine::first)
              .orElse("");
    };
  }

  /** The command as the model wrote it, not as it is handed to a shell. */
  static String command(JsonNode of) {
    JsonNode actions = of.path("commandActions");
    String written = Json.text(actions.path(0), "command");
    return actions.size() == 1 && !written.isEmpty() ? written : Json.text(of, "command");
  }

  private static String outcome(JsonNode item) {
    String output = ToolLine.first(Json.text(item, "aggregatedOutput"));
    if (!output.isEmpty()) {
      return output;
    }
    JsonNode exit = item.path("exitCode");
    return exit.isNumber() ? "exit " + exit.asInt() : Json.text(item, "status");
  }

  static List<AgentEvent> output(JsonNode delta) {
    List<String> lines = Json.text(delta, "delta").strip().lines().toList();
    return lines.isEmpty()
        ? List.of()
        : List.of(
            new AgentEvent.ToolOutput(Json.text(delta, "itemId"), ToolLine.first(lines.getLast())));
  }

  static Spent spent(JsonNode usage) {
    return new Spent(usage.path("inputTokens").asLong(), usage.path("outputTokens").asLong(), 0);
  }

  static AgentEvent retry(JsonNode error) {
    String details = Json.text(error, "additionalDetails");
    String message = Json.text(error, "message");
    return new AgentEvent.Waiting(
        ToolLine.first(details.isEmpty() ? message : message + " " + details));
  }
}
