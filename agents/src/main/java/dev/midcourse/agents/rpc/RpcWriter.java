package dev.midcourse.agents.rpc;

import dev.midcourse.agents.stdio.ProtocolJson;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Writes the messages that go to an agent. */
public enum RpcWriter {
  /** With the version, as the standard wants it. */
  JSON_RPC_2,
  /** Without it, as some agents have it. */
  BARE;

  /** What the standard calls a method that is not there. */
  private static final int METHOD_NOT_FOUND = -32601;

  public String call(CallId id, String method, JsonNode params) {
    ObjectNode message = message().put("id", id.text()).put("method", method);
    message.set("params", params);
    return message.toString();
  }

  public String notification(String method, JsonNode params) {
    ObjectNode message = message().put("method", method);
    message.set("params", params);
    return message.toString();
  }

  /** A notification that has nothing to say but its name. */
  public String notification(String method) {
    return message().put("method", method).toString();
  }

  public String result(RpcId id, JsonNode result) {
    ObjectNode message = message();
    message.set("id", id.json());
    message.set("result", result);
    return message.toString();
  }

  public String failure(RpcId id, int code, String words) {
    ObjectNode message = message();
    message.set("id", id.json());
    message.set("error", ProtocolJson.object().put("code", code).put("message", words));
    return message.toString();
  }

  /** The answer to a request for something that is not on offer here. */
  public String notOffered(RpcMessage.Request request) {
    return failure(request.id(), METHOD_NOT_FOUND, "Midcourse does not offer " + request.method());
  }

  private ObjectNode message() {
    return switch (this) {
      case JSON_RPC_2 -> ProtocolJson.object().put("jsonrpc", "2.0");
      case BARE -> ProtocolJson.object();
    };
  }
}
