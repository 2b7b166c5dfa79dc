package dev.midcourse.agents.rpc;

import dev.midcourse.agents.stdio.ProtocolJson;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** One message from an agent. The version field of JSON-RPC is ignored. */
public sealed interface RpcMessage {

  /**
   * A request of the agent, which waits for the answer. The agent chooses the id independently of
   * the hub's ids.
   */
  record Request(RpcId id, String method, JsonNode params) implements RpcMessage {}

  record Notification(String method, JsonNode params) implements RpcMessage {}

  /** The successful answer to a call from the hub. */
  record Result(CallId call, JsonNode result) implements RpcMessage {}

  /** The error answer to a call from the hub. */
  record Failure(CallId call, int code, String message, JsonNode data) implements RpcMessage {}

  /** Parses a line. Returns empty if the line is not a message. */
  static Optional<RpcMessage> read(String line) {
    return ProtocolJson.object(line).flatMap(RpcMessage::of);
  }

  private static Optional<RpcMessage> of(ObjectNode message) {
    String method = ProtocolJson.text(message, "method");
    JsonNode id = message.path("id");
    if (!method.isEmpty()) {
      JsonNode params = message.path("params");
      return id.isMissingNode()
          ? Optional.of(new Notification(method, params))
          : RpcId.of(id).map(known -> new Request(known, method, params));
    }
    Optional<CallId> call = CallId.read(id.asString(""));
    JsonNode error = message.path("error");
    if (error.isObject()) {
      return call.map(ours ->
          new Failure(
              ours,
              error.path("code").asInt(),
              ProtocolJson.text(error, "message"),
              error.path("data")));
    }
    return message.has("result")
        ? call.map(ours -> new Result(ours, message.path("result")))
        : Optional.empty();
  }
}
