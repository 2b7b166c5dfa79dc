package dev.midcourse.agents.acp;

import dev.midcourse.agents.stdio.ProtocolJson;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What has to be remembered of an agent's words to understand the next ones. */
final class AcpMemo {
  /** Who it says it is, and in which version. */
  String agent = "";

  String version = "";

  /** What it said it offers. */
  boolean steering;

  boolean resumes;
  boolean loads;

  /** The conversation's name; empty before there is one. */
  String session = "";

  /** What is still to be set before it is ready; empty for nothing. */
  String mode = "";

  boolean model;

  boolean started;

  /** The name was told: there is something to resume. */
  boolean named;

  /** The turn whose prompt it has read and not answered; 0 for none. */
  int turn;

  /** The last turn whose prompt it has answered. */
  int ended;

  /** The model was seen to work on the turn's prompt. */
  boolean injected;

  /** What was said and not told yet, and all of the last message. */
  String saying = "";

  String answer = "";

  /** Tools in use, with their names; a plus before the name when it was told. */
  final Map<String, String> tools = new TreeMap<>();

  /** Open requests for permission: the option that allows, a space, the one that does not. */
  final Map<String, Permission> asks = new TreeMap<>();

  /** What the session has cost by its last account, and whether that is known. */
  long microDollars;

  boolean costKnown = true;

  /** The turn's cost before its end. */
  long costNow;

  /** The options of a request: what allows it, what does not; empty where there is none. */
  record Permission(String allow, String deny) {}

  static AcpMemo read(String memo) {
    JsonNode json = ProtocolJson.object(memo).orElseThrow();
    AcpMemo read = new AcpMemo();
    read.agent = ProtocolJson.text(json, "agent");
    read.version = ProtocolJson.text(json, "version");
    read.steering = json.path("steering").asBoolean();
    read.resumes = json.path("resumes").asBoolean();
    read.loads = json.path("loads").asBoolean();
    read.session = ProtocolJson.text(json, "session");
    read.mode = ProtocolJson.text(json, "mode");
    read.model = json.path("model").asBoolean();
    read.started = json.path("started").asBoolean();
    read.named = json.path("named").asBoolean();
    read.turn = json.path("turn").asInt();
    read.ended = json.path("ended").asInt();
    read.injected = json.path("injected").asBoolean();
    read.saying = ProtocolJson.text(json, "saying");
    read.answer = ProtocolJson.text(json, "answer");
    read.microDollars = json.path("micro_dollars").asLong();
    read.costKnown = json.path("cost_known").asBoolean();
    read.costNow = json.path("cost_now").asLong();
    json.path("tools")
        .propertyStream()
        .forEach(tool -> read.tools.put(tool.getKey(), tool.getValue().asString()));
    json.path("asks")
        .propertyStream()
        .forEach(ask ->
            read.asks.put(
                ask.getKey(),
                new Permission(
                    ProtocolJson.text(ask.getValue(), "allow"),
                    ProtocolJson.text(ask.getValue(), "deny"))));
    return read;
  }

  String write() {
    ObjectNode json =
        ProtocolJson.object()
            .put("agent", agent)
            .put("version", version)
            .put("steering", steering)
            .put("resumes", resumes)
            .put("loads", loads)
            .put("session", session)
            .put("mode", mode)
            .put("model", model)
            .put("started", started)
            .put("named", named)
            .put("turn", turn)
            .put("ended", ended)
            .put("injected", injected)
            .put("saying", saying)
            .put("answer", answer)
            .put("micro_dollars", microDollars)
            .put("cost_known", costKnown)
            .put("cost_now", costNow);
    ObjectNode used = json.putObject("tools");
    tools.forEach(used::put);
    ObjectNode open = json.putObject("asks");
    asks.forEach((ask, options) ->
        open.putObject(ask).put("allow", options.allow()).put("deny", options.deny()));
    return json.toString();
  }
}
