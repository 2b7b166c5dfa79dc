package dev.midcourse.agents.copilot;

import dev.midcourse.agents.AttemptSpec;
import dev.midcourse.agents.ToolServer;
import dev.midcourse.agents.rpc.CallId;
import dev.midcourse.agents.rpc.RpcWriter;
import dev.midcourse.agents.stdio.ProtocolJson;
import dev.midcourse.core.id.SessionId;
import dev.midcourse.core.run.AskAnswer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The calls that are written to Copilot in one conversation. The id of a call names its kind.
 *
 * @param session the id of the conversation, which Midcourse assigns
 * @param resumes whether the conversation exists already
 * @param blockedTools the tools that the model does not get
 * @param allowAll whether Copilot may do everything without asking
 * @param tools the tools of Midcourse that Copilot gets besides the servers of its own settings
 */
record CopilotRequests(
    SessionId session,
    boolean resumes,
    Path workspace,
    Optional<String> model,
    Optional<CopilotDefinition.Provider> provider,
    Set<String> blockedTools,
    boolean allowAll,
    Optional<ToolServer> tools) {

  static final String HELLO = "hello";
  static final String SESSION = "session";
  static final String FREE = "free";
  static final String PROMPT = "prompt";
  static final String STEER = "steer";
  static final String INTERRUPT = "interrupt";
  static final String ANSWER = "answer";
  static final String BARRIER = "barrier";
  static final String SECOND_BARRIER = "barrier-again";

  private static final RpcWriter WRITER = RpcWriter.JSON_RPC_2;

  /** Returns the session to resume, or a new id that is derived from the attempt. */
  static SessionId session(AttemptSpec spec) {
    String name = "copilot " + spec.run() + " " + spec.attempt() + " " + spec.mark();
    return spec.resume()
        .orElseGet(() ->
            SessionId.of(UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8)).toString()));
  }

  String hello() {
    ObjectNode params = ProtocolJson.object();
    params.putNull("token");
    return WRITER.call(CallId.of(HELLO), "connect", params);
  }

  String openSession() {
    ObjectNode params =
        here()
            .put("workingDirectory", workspace.toString())
            .put("streaming", false)
            .put("requestPermission", true);
    model.ifPresent(name -> params.put("model", name));
    provider.ifPresent(it ->
        params
            .putObject("provider")
            .put("type", it.type())
            .put("wireApi", it.wire())
            .put("baseUrl", it.url())
            .put("apiKey", it.key()));
    if (!blockedTools.isEmpty()) {
      ArrayNode names = params.putArray("excludedTools");
      blockedTools.stream().sorted().forEach(names::add);
    }
    tools.ifPresent(server -> addServer(params.putObject("mcpServers"), server));
    return WRITER.call(CallId.of(SESSION), resumes ? "session.resume" : "session.create", params);
  }

  private static void addServer(ObjectNode servers, ToolServer server) {
    ObjectNode entry =
        servers.putObject(ToolServer.NAME).put("type", "local").put("command", server.command());
    server.arguments().forEach(entry.putArray("args")::add);
    ObjectNode variables = entry.putObject("env");
    new TreeMap<>(server.environment()).forEach(variables::put);
    entry.putArray("tools").add("*");
    entry.put("timeout", ToolServer.CALL_TIMEOUT.toMillis());
  }

  String allowEverything() {
    return WRITER.call(
        CallId.of(FREE), "session.permissions.setApproveAll", here().put("enabled", true));
  }

  /** Sends a message into the running turn, or opens a turn if none runs. */
  String send(CallId id, String message) {
    return WRITER.call(
        id,
        "session.send",
        here()
            .put("prompt", message.startsWith("/") ? "\n" + message : message)
            .put("mode", "immediate"));
  }

  String interrupt() {
    return WRITER.call(CallId.of(INTERRUPT), "session.abort", here());
  }

  String answer(String ask, AskAnswer answer) {
    ObjectNode params = here().put("requestId", ask);
    ObjectNode result = params.putObject("result");
    switch (answer) {
      case AskAnswer.Allow() -> result.put("kind", "approve-once");
      case AskAnswer.Deny(String why) -> result.put("kind", "reject").put("feedback", why);
      case AskAnswer.Words(String text) -> result.put("kind", "reject").put("feedback", text);
    }
    return WRITER.call(
        CallId.of(ANSWER, ask), "session.permissions.handlePendingPermissionRequest", params);
  }

  String ping(String kind, String name) {
    return WRITER.call(CallId.of(kind, name), "ping", ProtocolJson.object().put("message", name));
  }

  private ObjectNode here() {
    return ProtocolJson.object().put("sessionId", session.value());
  }
}
