package dev.midcourse.agents.acp;

import dev.midcourse.agents.ToolServer;
import dev.midcourse.agents.rpc.CallId;
import dev.midcourse.agents.rpc.RpcId;
import dev.midcourse.agents.rpc.RpcWriter;
import dev.midcourse.agents.stdio.ProtocolJson;
import dev.midcourse.core.Version;
import dev.midcourse.core.id.SteerId;
import java.util.Optional;
import java.util.TreeMap;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The messages that are written to an agent. The id of a request names its kind. */
final class AcpRequests {
  static final String HELLO = "hello";
  static final String SESSION = "session";
  static final String MODE = "mode";
  static final String MODEL = "model";
  static final String PROMPT = "prompt";
  static final String OPENING = "opening";
  static final String STEER = "steer";
  static final String BARRIER = "barrier";

  private static final RpcWriter WRITER = RpcWriter.JSON_RPC_2;

  private AcpRequests() {}

  /** Offers no client capabilities, because the agent has its own files and terminals. */
  static String hello() {
    ObjectNode params = ProtocolJson.object().put("protocolVersion", 1);
    ObjectNode can = params.putObject("clientCapabilities").put("terminal", false);
    can.putObject("fs").put("readTextFile", false).put("writeTextFile", false);
    params.putObject("clientInfo").put("name", "midcourse").put("version", Version.NUMBER);
    return WRITER.call(CallId.of(HELLO), "initialize", params);
  }

  static String newSession(String workspace, Optional<ToolServer> tools) {
    return WRITER.call(CallId.of(SESSION), "session/new", in(workspace, tools));
  }

  /** {@code method} is {@code session/resume} or {@code session/load}. */
  static String oldSession(
      String method, String session, String workspace, Optional<ToolServer> tools) {
    return WRITER.call(CallId.of(SESSION), method, in(workspace, tools).put("sessionId", session));
  }

  /** The agent adds the servers of the user's own settings to the servers of the request. */
  private static ObjectNode in(String workspace, Optional<ToolServer> tools) {
    ObjectNode params = ProtocolJson.object().put("cwd", workspace);
    ArrayNode servers = params.putArray("mcpServers");
    tools.ifPresent(server -> {
      ObjectNode entry =
          servers.addObject().put("name", ToolServer.NAME).put("command", server.command());
      server.arguments().forEach(entry.putArray("args")::add);
      ArrayNode variables = entry.putArray("env");
      new TreeMap<>(server.environment())
          .forEach((name, value) -> variables.addObject().put("name", name).put("value", value));
    });
    return params;
  }

  static String mode(String session, String mode) {
    return WRITER.call(CallId.of(MODE), "session/set_mode", of(session).put("modeId", mode));
  }

  static String model(String session, String model) {
    return WRITER.call(CallId.of(MODEL), "session/set_model", of(session).put("modelId", model));
  }

  static String option(String session, String option, String value) {
    return WRITER.call(
        CallId.of(MODEL),
        "session/set_config_option",
        of(session).put("configId", option).put("value", value));
  }

  static String prompt(String session, int turn, String message) {
    return WRITER.call(CallId.of(PROMPT, turn), "session/prompt", saying(session, message));
  }

  /** If no turn runs, the agent must answer {@code promptRequired} and start no turn. */
  static String steer(String session, SteerId steer, String message) {
    ObjectNode params = saying(session, message);
    params.putObject("_meta").putObject("steering").put("idleBehavior", "promptRequired");
    return WRITER.call(CallId.of(STEER, steer), "_session/steering", params);
  }

  /**
   * Puts a line break before a leading slash, because the agent would take the text as a command.
   */
  private static ObjectNode saying(String session, String message) {
    ObjectNode params = of(session);
    params
        .putArray("prompt")
        .addObject()
        .put("type", "text")
        .put("text", message.startsWith("/") ? "\n" + message : message);
    return params;
  }

  /** A request that no agent offers. The agent reads it in order and answers with a refusal. */
  static String nothing(CallId id) {
    return WRITER.call(id, "_midcourse/nothing", ProtocolJson.object());
  }

  static String cancel(String session) {
    return WRITER.notification("session/cancel", of(session));
  }

  /** The answer to a permission request. An empty option cancels the request. */
  static String permission(String ask, Optional<String> option) {
    ObjectNode result = ProtocolJson.object();
    ObjectNode outcome = result.putObject("outcome");
    option.ifPresentOrElse(
        id -> outcome.put("outcome", "selected").put("optionId", id),
        () -> outcome.put("outcome", "cancelled"));
    return WRITER.result(RpcId.ofAsk(ask), result);
  }

  private static ObjectNode of(String session) {
    return ProtocolJson.object().put("sessionId", session);
  }
}
