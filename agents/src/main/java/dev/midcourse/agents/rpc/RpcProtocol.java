package dev.midcourse.agents.rpc;

import dev.midcourse.agents.rpc.RpcMessage.Failure;
import dev.midcourse.agents.rpc.RpcMessage.Notification;
import dev.midcourse.agents.rpc.RpcMessage.Request;
import dev.midcourse.agents.rpc.RpcMessage.Result;
import dev.midcourse.agents.stdio.Protocol;
import dev.midcourse.agents.stdio.ProtocolOutput;
import tools.jackson.databind.JsonNode;

/** The protocol of an agent that uses JSON-RPC. */
public interface RpcProtocol extends Protocol {

  @Override
  default ProtocolOutput read(String message) {
    return RpcMessage.read(message)
        .map(this::react)
        .orElseGet(() -> ProtocolOutput.garbage(message));
  }

  private ProtocolOutput react(RpcMessage message) {
    return switch (message) {
      case Result(CallId call, JsonNode result) -> answered(call, result);
      case Failure failure -> refused(failure);
      case Request request -> asked(request);
      case Notification(String method, JsonNode params) -> onNotification(method, params);
    };
  }

  /** Handles the successful answer to a call from the hub. */
  ProtocolOutput answered(CallId call, JsonNode result);

  /** Handles the error answer to a call from the hub. */
  ProtocolOutput refused(Failure failure);

  /** Handles a request of the agent, which waits for the answer. */
  ProtocolOutput asked(Request request);

  ProtocolOutput onNotification(String method, JsonNode params);
}
