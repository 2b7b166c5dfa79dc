package dev.midcourse.agents.rpc;

import dev.midcourse.agents.stdio.ProtocolJson;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Writes the messages to an agent. */
public enum RpcWriter {
  /** Writes the version field, as the standard requires. */
  JSON_RPC_2,
  /** Omits the version field, as some agents expect. */
  BARE;

  /** The error code of the standard for an unknown method. */
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

  /** Returns a notification without parameters. */
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

  /** Returns the error answer to a request for a method that the hub does not offer. */
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
