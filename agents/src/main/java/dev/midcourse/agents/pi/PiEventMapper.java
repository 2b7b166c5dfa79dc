package dev.midcourse.agents.pi;

import dev.midcourse.agents.stdio.ProtocolJson;
import dev.midcourse.agents.stdio.ToolSummary;
import dev.midcourse.core.agent.AgentEvent;
import dev.midcourse.core.agent.Usage;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** Maps the text, the tools and the usage of the model to events. */
final class PiEventMapper {
  private PiEventMapper() {}

  /** Returns the text of a message's content, which is a string or a list of parts. */
  static String text(JsonNode content) {
    return content.isArray()
        ? content
            .valueStream()
            .map(part -> ProtocolJson.text(part, "text"))
            .filter(text -> !text.isEmpty())
            .collect(Collectors.joining("\n"))
        : content.asString("");
  }

  static AgentEvent toolStarted(JsonNode line) {
    JsonNode arguments = line.path("args");
    return new AgentEvent.ToolStarted(
        ProtocolJson.text(line, "toolCallId"),
        ProtocolJson.text(line, "toolName"),
        ToolSummary.of(arguments),
        timeout(arguments));
  }

  /** Returns the timeout of a tool call, which pi gives in seconds. */
  private static Optional<Duration> timeout(JsonNode arguments) {
    JsonNode seconds = arguments.path("timeout");
    return seconds.isNumber() && seconds.asLong() > 0
        ? Optional.of(Duration.ofSeconds(seconds.asLong()))
        : Optional.empty();
  }

  static List<AgentEvent> toolOutput(JsonNode line) {
    List<String> lines = text(line.path("partialResult").path("content")).strip().lines().toList();
    return lines.isEmpty()
        ? List.of()
        : List.of(
            new AgentEvent.ToolOutput(
                ProtocolJson.text(line, "toolCallId"), ToolSummary.first(lines.getLast())));
  }

  static AgentEvent toolFinished(JsonNode line) {
    return new AgentEvent.ToolFinished(
        ProtocolJson.text(line, "toolCallId"),
        !line.path("isError").asBoolean(),
        ToolSummary.first(text(line.path("result").path("content"))));
  }

  static Optional<AgentEvent> used(JsonNode usage) {
    Usage spent =
        new Usage(
            usage.path("input").asLong()
                + usage.path("cacheRead").asLong()
                + usage.path("cacheWrite").asLong(),
            usage.path("output").asLong(),
            Math.round(usage.path("cost").path("total").asDouble() * 1_000_000));
    return spent.equals(Usage.NOTHING) ? Optional.empty() : Optional.of(new AgentEvent.Used(spent));
  }

  static String retry(JsonNode line) {
    return "%s; attempt %d of %d in %d ms"
        .formatted(
            ToolSummary.first(ProtocolJson.text(line, "errorMessage")),
            line.path("attempt").asInt(),
            line.path("maxAttempts").asInt(),
            line.path("delayMs").asLong());
  }
}
