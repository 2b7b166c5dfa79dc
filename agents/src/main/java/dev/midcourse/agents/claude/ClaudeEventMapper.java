package dev.midcourse.agents.claude;

import dev.midcourse.agents.stdio.ProtocolJson;
import dev.midcourse.agents.stdio.ToolSummary;
import dev.midcourse.core.agent.AgentEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** Maps the text and the tools of the model to events. */
final class ClaudeEventMapper {
  private ClaudeEventMapper() {}

  static List<AgentEvent> said(JsonNode line) {
    if (line.path("is_api_error_message").asBoolean()) {
      return List.of();
    }
    String parent = ProtocolJson.text(line, "parent_tool_use_id");
    List<AgentEvent> events = new ArrayList<>();
    for (JsonNode block : line.path("message").path("content")) {
      String text = ProtocolJson.text(block, "text");
      switch (ProtocolJson.text(block, "type")) {
        case "text" -> {
          if (!text.isBlank()) {
            events.add(
                parent.isEmpty()
                    ? new AgentEvent.Said(text)
                    : new AgentEvent.ToolOutput(parent, ToolSummary.first(text)));
          }
        }
        case "tool_use" -> events.add(started(block, parent));
        default -> {}
      }
    }
    return events;
  }

  /** The results of the tools. The results of a subagent's tools are not reported. */
  static List<AgentEvent> results(JsonNode line) {
    if (!ProtocolJson.text(line, "parent_tool_use_id").isEmpty()) {
      return List.of();
    }
    List<AgentEvent> events = new ArrayList<>();
    for (JsonNode block : line.path("message").path("content")) {
      if (ProtocolJson.text(block, "type").equals("tool_result")) {
        events.add(finished(block));
      }
    }
    return events;
  }

  /**
   * The start of a tool. A tool of a subagent is reported as output of the subagent's own tool
   * call.
   */
  private static AgentEvent started(JsonNode use, String parent) {
    String name = ProtocolJson.text(use, "name");
    JsonNode input = use.path("input");
    if (!parent.isEmpty()) {
      return new AgentEvent.ToolOutput(parent, name + ": " + ToolSummary.of(input));
    }
    return new AgentEvent.ToolStarted(
        ProtocolJson.text(use, "id"), name, ToolSummary.of(input), timeout(input));
  }

  private static Optional<Duration> timeout(JsonNode input) {
    JsonNode milliseconds = input.path("timeout");
    return milliseconds.isNumber() && milliseconds.asLong() > 0
        ? Optional.of(Duration.ofMillis(milliseconds.asLong()))
        : Optional.empty();
  }

  private static AgentEvent finished(JsonNode result) {
    JsonNode content = result.path("content");
    String text =
        content.isArray()
            ? content
                .valueStream()
                .map(part -> ProtocolJson.text(part, "text"))
                .collect(Collectors.joining("\n"))
            : content.asString("");
    boolean ok = !result.path("is_error").asBoolean();
    return new AgentEvent.ToolFinished(
        ProtocolJson.text(result, "tool_use_id"), ok, ToolSummary.first(text));
  }
}
