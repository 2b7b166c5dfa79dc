package dev.midcourse.agents.copilot;

import dev.midcourse.agents.stdio.ProtocolJson;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What has to be remembered of Copilot's words to understand the next ones. */
final class CopilotMemo {
  String version = "";
  boolean started;

  /** The conversation's name was told: there is something to resume. */
  boolean named;

  /** It works: from the first word of a turn until the session is idle. */
  boolean working;

  /** What the model said last, and the error that came since. */
  String answer = "";

  String error = "";

  /** Messages it holds, by the id it gave them: {@code prompt:3} or {@code steer:ID}. */
  final Map<String, String> held = new TreeMap<>();

  /** Messages it has shown before it said which of ours they are. */
  final Set<String> shown = new TreeSet<>();

  static CopilotMemo read(String memo) {
    JsonNode json = ProtocolJson.object(memo).orElseThrow();
    CopilotMemo read = new CopilotMemo();
    read.version = ProtocolJson.text(json, "version");
    read.started = json.path("started").asBoolean();
    read.named = json.path("named").asBoolean();
    read.working = json.path("working").asBoolean();
    read.answer = ProtocolJson.text(json, "answer");
    read.error = ProtocolJson.text(json, "error");
    json.path("held")
        .propertyStream()
        .forEach(message -> read.held.put(message.getKey(), message.getValue().asString()));
    json.path("shown").forEach(id -> read.shown.add(id.asString()));
    return read;
  }

  String write() {
    ObjectNode json =
        ProtocolJson.object()
            .put("version", version)
            .put("started", started)
            .put("named", named)
            .put("working", working)
            .put("answer", answer)
            .put("error", error);
    ObjectNode messages = json.putObject("held");
    held.forEach(messages::put);
    ArrayNode ids = json.putArray("shown");
    shown.forEach(ids::add);
    return json.toString();
  }
}
