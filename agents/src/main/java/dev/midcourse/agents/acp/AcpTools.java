package dev.midcourse.agents.acp;

import dev.midcourse.agents.stdio.Copies;
import dev.midcourse.agents.stdio.ProtocolJson;
import dev.midcourse.agents.stdio.ToolSummary;
import dev.midcourse.core.agent.AgentEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * The tools that an agent uses. The start of each tool is reported once, as soon as its details are
 * known; some agents send the details only with the second update or with the permission request.
 * The end of each tool is reported once.
 */
final class AcpTools {
  private static final String REPORTED = "+";

  /** Tools in use, with their names; {@link #REPORTED} stands before the name of a reported one. */
  private final SortedMap<String, String> inUse;

  AcpTools(SortedMap<String, String> inUse) {
    this.inUse = new TreeMap<>(inUse);
  }

  SortedMap<String, String> inUse() {
    return Copies.of(inUse);
  }

  void clear() {
    inUse.clear();
  }

  /**
   * Processes one message about a tool: the call, an update, or the call in a permission request.
   */
  List<AgentEvent> read(JsonNode call, boolean asked) {
    String id = ProtocolJson.text(call, "toolCallId");
    if (id.isEmpty()) {
      return List.of();
    }
    String status = ProtocolJson.text(call, "status");
    boolean over = status.equals("completed") || status.equals("failed");
    if (over && !inUse.containsKey(id) && ProtocolJson.text(call, "title").isEmpty()) {
      return List.of(); // Some agents report the end of a tool twice.
    }
    List<AgentEvent> events = new ArrayList<>();
    String name = inUse.computeIfAbsent(id, _ -> name(call));
    boolean reported = name.startsWith(REPORTED);
    if (!reported && (asked || over || !status.equals("pending") || hasDetails(call))) {
      inUse.put(id, REPORTED + name);
      events.add(
          new AgentEvent.ToolStarted(
              id, name, ToolSummary.first(ProtocolJson.text(call, "title")), Optional.empty()));
    }
    String output = output(call);
    if (over) {
      inUse.remove(id);
      events.add(
          new AgentEvent.ToolFinished(id, status.equals("completed"), ToolSummary.first(output)));
    } else if (reported && !output.isBlank()) {
      events.add(new AgentEvent.ToolOutput(id, ToolSummary.first(output)));
    }
    return events;
  }

  /**
   * Whether the call has its details. The first message of some agents has an input without them.
   */
  private static boolean hasDetails(JsonNode call) {
    JsonNode input = call.path("rawInput");
    return input.isObject()
        ? Stream.of("command", "path", "file_path", "filePath").anyMatch(input::has)
        : !ProtocolJson.text(call, "title").isEmpty();
  }

  private static String name(JsonNode call) {
    return Stream.of("name", "kind", "title")
        .map(field -> ProtocolJson.text(call, field))
        .filter(text -> !text.isBlank())
        .map(ToolSummary::first)
        .findFirst()
        .orElse("tool");
  }

  private static String output(JsonNode call) {
    String content =
        call.path("content")
            .valueStream()
            .map(part -> ProtocolJson.text(part.path("content"), "text"))
            .filter(text -> !text.isBlank())
            .collect(Collectors.joining("\n"));
    if (!content.isBlank()) {
      return content;
    }
    JsonNode raw = call.path("rawOutput");
    return raw.isString() ? raw.asString() : ProtocolJson.text(raw, "output");
  }
}
