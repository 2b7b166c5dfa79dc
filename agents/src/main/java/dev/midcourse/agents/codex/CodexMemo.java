package dev.midcourse.agents.codex;

import dev.midcourse.agents.stdio.ProtocolJson;
import dev.midcourse.core.run.Usage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What has to be remembered of Codex's words to understand the next ones. */
final class CodexMemo {
  /** Which Codex it is; empty before it was said. */
  String version = "";

  /** The conversation's name; empty before it was said. */
  String thread = "";

  /** The name was told: there is something to resume. */
  boolean named;

  /** The running turn, in Codex's words; empty between turns. */
  String turn = "";

  /** It has accepted the opening of a turn that has not begun. */
  boolean opening;

  /** The turn was broken off, and what it left running is being ended. */
  boolean cleaning;

  /** A steer is in the conversation, and the model has said or done nothing since. */
  boolean unanswered;

  /** The turn ended with such a steer, and another that answers it has been asked for. */
  boolean goingOn;

  /** What was said last in this turn. */
  String answer = "";

  /** Steers that the running turn would not have. */
  final List<String> turnedAway = new ArrayList<>();

  /** Whether {@code total} is known, which it is not in a resumed thread at first. */
  boolean counted;

  /** What the thread has used so far, by its last account. */
  Usage total = Usage.NOTHING;

  /** What it asked and waits for, by the name of the ask. */
  final Map<String, ObjectNode> asks = new TreeMap<>();

  static CodexMemo read(String memo) {
    JsonNode json = ProtocolJson.object(memo).orElseThrow();
    CodexMemo read = new CodexMemo();
    read.version = ProtocolJson.text(json, "version");
    read.thread = ProtocolJson.text(json, "thread");
    read.named = json.path("named").asBoolean();
    read.turn = ProtocolJson.text(json, "turn");
    read.opening = json.path("opening").asBoolean();
    read.cleaning = json.path("cleaning").asBoolean();
    read.unanswered = json.path("unanswered").asBoolean();
    read.goingOn = json.path("going_on").asBoolean();
    read.answer = ProtocolJson.text(json, "answer");
    json.path("turned_away").forEach(steer -> read.turnedAway.add(steer.asString()));
    read.counted = json.path("counted").asBoolean();
    read.total =
        new Usage(json.path("input_tokens").asLong(), json.path("output_tokens").asLong(), 0);
    json.path("asks").forEachEntry((word, ask) -> read.asks.put(word, (ObjectNode) ask));
    return read;
  }

  String write() {
    ObjectNode json =
        ProtocolJson.object()
            .put("version", version)
            .put("thread", thread)
            .put("named", named)
            .put("turn", turn)
            .put("opening", opening)
            .put("cleaning", cleaning)
            .put("unanswered", unanswered)
            .put("going_on", goingOn)
            .put("answer", answer)
            .put("counted", counted)
            .put("input_tokens", total.inputTokens())
            .put("output_tokens", total.outputTokens());
    ArrayNode away = json.putArray("turned_away");
    turnedAway.forEach(away::add);
    ObjectNode open = json.putObject("asks");
    asks.forEach(open::set);
    return json.toString();
  }
}
