package dev.midcourse.agents.opencode;

import dev.midcourse.agents.stdio.ProtocolJson;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What has to be remembered of OpenCode's log to understand the rest of it. */
final class OpenCodeMemo {
  /** It has said who it is. */
  boolean started;

  /** The session's name was told: there is something to resume. */
  boolean named;

  /** It works: from the first message of a turn until it was found idle. */
  boolean working;

  /** A turn has ended: what it still holds it will not take up by itself. */
  boolean settled;

  /** It was told to break the turn off. */
  boolean interrupted;

  /** How the last step of the turn ended; empty before the first has. */
  String finish = "";

  /** A step has begun and not ended. */
  boolean stepping;

  /** Why the last step failed, if it did. */
  String error = "";

  /** What was said last in this turn. */
  String answer = "";

  /** Messages it said it holds and has not shown, by their ids and in their order. */
  final Set<String> held = new LinkedHashSet<>();

  /** What it asked and waits for. */
  final Set<String> asks = new TreeSet<>();

  static OpenCodeMemo read(String memo) {
    JsonNode json = ProtocolJson.object(memo).orElseThrow();
    OpenCodeMemo read = new OpenCodeMemo();
    read.started = json.path("started").asBoolean();
    read.named = json.path("named").asBoolean();
    read.working = json.path("working").asBoolean();
    read.settled = json.path("settled").asBoolean();
    read.interrupted = json.path("interrupted").asBoolean();
    read.finish = ProtocolJson.text(json, "finish");
    read.stepping = json.path("stepping").asBoolean();
    read.error = ProtocolJson.text(json, "error");
    read.answer = ProtocolJson.text(json, "answer");
    json.path("held").forEach(message -> read.held.add(message.asString()));
    json.path("asks").forEach(ask -> read.asks.add(ask.asString()));
    return read;
  }

  String write() {
    ObjectNode json =
        ProtocolJson.object()
            .put("started", started)
            .put("named", named)
            .put("working", working)
            .put("settled", settled)
            .put("interrupted", interrupted)
            .put("finish", finish)
            .put("stepping", stepping)
            .put("error", error)
            .put("answer", answer);
    ArrayNode messages = json.putArray("held");
    held.forEach(messages::add);
    ArrayNode open = json.putArray("asks");
    asks.forEach(open::add);
    return json.toString();
  }
}
