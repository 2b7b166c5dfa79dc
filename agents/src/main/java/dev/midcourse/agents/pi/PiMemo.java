package dev.midcourse.agents.pi;

import dev.midcourse.agents.program.Version;
import dev.midcourse.agents.stdio.ProtocolJson;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What has to be remembered of pi's words to understand the next ones. */
final class PiMemo {
  /** Which pi it is. */
  final Version version;

  /** The conversation's name; empty before it was said. */
  String session = "";

  /** The name was told: there is something to resume. */
  boolean named;

  /** It works: from its first word of a turn until it has settled. */
  boolean working;

  /** It was told to break the turn off. */
  boolean interrupted;

  /** The turn whose opening message it has accepted and not shown; 0 for none. */
  int opening;

  /** How the model's last answer ended, why, and what it said. */
  String stopped = "";

  String error = "";
  String answer = "";

  /** Whether messages are in its queue. */
  boolean queued;

  /** Steers it said it holds and has not shown. */
  final Set<String> held = new TreeSet<>();

  /** Steers it would not take while it was compacting. */
  final List<String> turnedAway = new ArrayList<>();

  /** A barrier that waits until it has compacted; empty for none. */
  String barrier = "";

  PiMemo(Version version) {
    this.version = version;
  }

  static PiMemo read(String memo) {
    JsonNode json = ProtocolJson.object(memo).orElseThrow();
    PiMemo read = new PiMemo(Version.in(ProtocolJson.text(json, "version")));
    read.session = ProtocolJson.text(json, "session");
    read.named = json.path("named").asBoolean();
    read.working = json.path("working").asBoolean();
    read.interrupted = json.path("interrupted").asBoolean();
    read.opening = json.path("opening").asInt();
    read.stopped = ProtocolJson.text(json, "stopped");
    read.error = ProtocolJson.text(json, "error");
    read.answer = ProtocolJson.text(json, "answer");
    read.queued = json.path("queued").asBoolean();
    json.path("held").forEach(steer -> read.held.add(steer.asString()));
    json.path("turned_away").forEach(steer -> read.turnedAway.add(steer.asString()));
    read.barrier = ProtocolJson.text(json, "barrier");
    return read;
  }

  String write() {
    ObjectNode json =
        ProtocolJson.object()
            .put("version", version.text())
            .put("session", session)
            .put("named", named)
            .put("working", working)
            .put("interrupted", interrupted)
            .put("opening", opening)
            .put("stopped", stopped)
            .put("error", error)
            .put("answer", answer)
            .put("queued", queued)
            .put("barrier", barrier);
    ArrayNode steers = json.putArray("held");
    held.forEach(steers::add);
    ArrayNode away = json.putArray("turned_away");
    turnedAway.forEach(away::add);
    return json.toString();
  }
}
