package dev.midcourse.agents.codex;

import dev.midcourse.agents.AgentSettings.Permissions;
import dev.midcourse.agents.rpc.CallId;
import dev.midcourse.agents.rpc.RpcWriter;
import dev.midcourse.agents.stdio.ProtocolJson;
import dev.midcourse.core.id.SessionId;
import dev.midcourse.core.id.SteerId;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The calls that are made to Codex in one attempt. */
record CodexRequests(
    int attempt,
    String workspace,
    Optional<SessionId> resume,
    Optional<String> model,
    Permissions permissions,
    CommandSandbox sandbox) {

  /** The sandbox of the commands that Codex runs. */
  enum CommandSandbox {
    /** Codex makes one for each command, as its settings say. */
    OF_CODEX,
    /** The one of the worker. In it Codex cannot make another, because namespaces are forbidden. */
    OF_WORKER
  }

  static final String HELLO = "hello";
  static final String SETTINGS = "settings";
  static final String THREAD = "thread";
  static final String PROMPT = "prompt";
  static final String STEER = "steer";
  static final String CONTINUE_TURN = "go_on";
  static final String INTERRUPT = "interrupt";
  static final String CLEAN = "clean";
  static final String BARRIER = "barrier";

  /** Notifications that repeat the content of the whole message, the item or the turn. */
  private static final List<String> SUPPRESSED_NOTIFICATIONS =
      List.of(
          "account/rateLimits/updated",
          "item/agentMessage/delta",
          "item/plan/delta",
          "item/reasoning/summaryPartAdded",
          "item/reasoning/summaryTextDelta",
          "item/reasoning/textDelta",
          "thread/readState/changed",
          "turn/diff/updated");

  /** Asks for the experimental API, which is needed to end the commands of an interrupted turn. */
  String hello() {
    ObjectNode params = ProtocolJson.object();
    params.set(
        "clientInfo",
        ProtocolJson.object()
            .put("name", "midcourse")
            .put("title", "Midcourse")
            .put("version", "1"));
    ObjectNode capabilities = ProtocolJson.object().put("experimentalApi", true);
    ArrayNode silenced = capabilities.putArray("optOutNotificationMethods");
    SUPPRESSED_NOTIFICATIONS.forEach(silenced::add);
    params.set("capabilities", capabilities);
    return call(CallId.of(HELLO), "initialize", params);
  }

  String initialized() {
    return RpcWriter.BARE.notification("initialized");
  }

  /**
   * The request after the greeting. With permission requests, the user's settings choose the
   * sandbox, so they are read first.
   */
  String afterGreeting() {
    return permissions == Permissions.ASK && sandbox == CommandSandbox.OF_CODEX
        ? settings()
        : thread(true);
  }

  private String settings() {
    return call(CallId.of(SETTINGS), "config/read", ProtocolJson.object().put("cwd", workspace));
  }

  /**
   * Starts a conversation, or resumes the one of the attempt.
   *
   * @param hasSandbox whether the user has chosen a sandbox. The default sandbox of Codex is
   *     read-only: an allowed command fails there, and Codex repeats it outside only if it
   *     recognizes the cause.
   */
  String thread(boolean hasSandbox) {
    ObjectNode params = ProtocolJson.object().put("cwd", workspace);
    model.ifPresent(name -> params.put("model", name));
    switch (permissions) {
      case ASK -> {
        params.put("approvalPolicy", "untrusted");
        if (sandbox == CommandSandbox.OF_WORKER) {
          params.put("sandbox", "danger-full-access");
        } else if (!hasSandbox) {
          params.put("sandbox", "workspace-write");
        }
      }
      case BYPASS -> params.put("approvalPolicy", "never").put("sandbox", "danger-full-access");
    }
    if (resume.isEmpty()) {
      return call(CallId.of(THREAD), "thread/start", params);
    }
    params.put("threadId", resume.get().value()).put("excludeTurns", true);
    return call(CallId.of(THREAD), "thread/resume", params);
  }

  String prompt(String thread, int turn, String message) {
    CallId id = CallId.of(PROMPT, turn);
    return call(id, "turn/start", message(thread, message).put("clientUserMessageId", id.text()));
  }

  /** Starts a turn in which the model answers the messages that are already in the conversation. */
  String continueTurn(String thread) {
    CallId id = CallId.of(CONTINUE_TURN);
    return call(
        id,
        "turn/start",
        message(thread, "Please go on: take the message above into account.")
            .put("clientUserMessageId", id.text()));
  }

  String steer(String thread, String turn, SteerId steer, String message) {
    return call(
        CallId.of(STEER, steer),
        "turn/steer",
        message(thread, message)
            .put("expectedTurnId", turn)
            .put("clientUserMessageId", steer.value()));
  }

  String interrupt(String thread, String turn) {
    return call(
        CallId.of(INTERRUPT),
        "turn/interrupt",
        ProtocolJson.object().put("threadId", thread).put("turnId", turn));
  }

  /** Ends the commands that an interrupted turn leaves running. */
  String clean(String thread) {
    return call(
        CallId.of(CLEAN),
        "thread/backgroundTerminals/clean",
        ProtocolJson.object().put("threadId", thread));
  }

  /**
   * A steer for a turn that does not exist. Codex refuses it after it has read all earlier input.
   */
  String barrier(String thread, String name) {
    CallId id = CallId.of(BARRIER, name);
    return call(id, "turn/steer", message(thread, "").put("expectedTurnId", id.text()));
  }

  private static ObjectNode message(String thread, String text) {
    ObjectNode params = ProtocolJson.object().put("threadId", thread);
    ObjectNode part = params.putArray("input").addObject().put("type", "text").put("text", text);
    part.putArray("text_elements");
    return params;
  }

  private static String call(CallId id, String method, ObjectNode params) {
    return RpcWriter.BARE.call(id, method, params);
  }
}
