package dev.midcourse.proof.model;

import static dev.midcourse.proof.model.wire.Json.object;

import dev.midcourse.proof.model.wire.Exchange;
import dev.midcourse.proof.model.wire.OfferedTool;
import java.io.IOException;
import java.util.Locale;
import tools.jackson.databind.node.ObjectNode;

/**
 * HTTP interface to a lane for people and other processes: {@code GET requests} lists the recorded
 * requests, {@code PUT script} starts another script.
 */
final class LaneState {
  private LaneState() {}

  /** Answers the call if its path belongs to this interface; returns whether it did. */
  static boolean serves(Lane lane, Exchange exchange, String body) throws IOException {
    switch (exchange.method() + " " + exchange.path()) {
      case "GET /requests" -> exchange.json(200, requests(lane));
      case "PUT /script" -> begin(lane, exchange, body);
      default -> {
        return false;
      }
    }
    return true;
  }

  private static void begin(Lane lane, Exchange exchange, String body) throws IOException {
    try {
      lane.play(ScriptFile.parse(body));
      exchange.json(200, object("steps", lane.stepsLeft()));
    } catch (IllegalArgumentException e) {
      exchange.json(400, object("error", String.valueOf(e.getMessage())));
    }
  }

  private static ObjectNode requests(Lane lane) {
    return object(
        "requests", lane.requests().all().stream().map(LaneState::request).toList(),
        "side_requests", lane.sideRequests().all().stream().map(LaneState::request).toList(),
        "strays", lane.strays());
  }

  private static ObjectNode request(RecordedRequest recorded) {
    return object(
        "number", recorded.number(),
        "at", recorded.at().toString(),
        "wire", recorded.request().wire().name().toLowerCase(Locale.ROOT),
        "model", recorded.request().model(),
        "tools", recorded.request().tools().stream().map(OfferedTool::name).toList(),
        "outcome", recorded.outcome().name().toLowerCase(Locale.ROOT),
        "conversation",
            recorded.request().conversation().stream()
                .map(message ->
                    object(
                        "role",
                        message.role().name().toLowerCase(Locale.ROOT),
                        "text",
                        message.text()))
                .toList());
  }
}
