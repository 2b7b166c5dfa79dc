package dev.midcourse.agents.copilot;

import dev.midcourse.agents.Agent.Answer;
import dev.midcourse.agents.rpc.CallId;
import dev.midcourse.agents.rpc.RpcMessage.Failure;
import dev.midcourse.agents.rpc.RpcMessage.Request;
import dev.midcourse.agents.rpc.RpcProtocol;
import dev.midcourse.agents.rpc.RpcWriter;
import dev.midcourse.agents.stdio.Json;
import dev.midcourse.agents.stdio.Reaction;
import dev.midcourse.agents.stdio.ToolLine;
import dev.midcourse.core.agent.AgentEvent;
import dev.midcourse.core.agent.AgentEvent.AskKind;
import dev.midcourse.core.agent.AgentEvent.TurnEnd;
import dev.midcourse.core.agent.Capabilities;
import dev.midcourse.core.agent.Capability;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.run.Spent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * The words of Copilot's headless mode. It gives every message an id and shows it with that id when
 * it is in the conversation. A turn is over when the session is idle: commands that it has moved to
 * the background belong to it.
 */
final class CopilotProtocol implements RpcProtocol {
  /** It resumes, but its store is behind its word: a killed one may lack what it had shown. */
  static final Capabilities CAN =
      Capabilities.of(
          Capability.MID_TURN_STEER,
          Capability.ACCEPTED_EVIDENCE,
          Capability.INJECTED_EVIDENCE,
          Capability.INTERRUPT,
          Capability.INTERRUPT_ENDS_TOOLS,
          Capability.BARRIER,
          Capability.BLOCKS_TOOLS,
          Capability.ASKS_PERMISSION);

  private final CopilotCalls calls;
  private final CopilotMemo memo;

  CopilotProtocol(CopilotCalls calls, CopilotMemo memo) {
    this.calls = calls;
    this.memo = memo;
  }

  @Override
  public String memo() {
    return memo.write();
  }

  // ---- writing

  @Override
  public List<String> hello() {
    return List.of(calls.hello());
  }

  @Override
  public List<String> prompt(int turn, String message) {
    return List.of(calls.send(CallId.of(CopilotCalls.PROMPT, turn), message));
  }

  @Override
  public List<String> steer(SteerId steer, String message) {
    return List.of(calls.send(CallId.of(CopilotCalls.STEER, steer), message));
  }

  /** It works on several calls at once: of two in a moment the second may be first. */
  @Override
  public boolean keepsOrder() {
    return false;
  }

  @Override
  public List<String> interrupt() {
    return List.of(calls.interrupt());
  }

  @Override
  public List<String> answer(String ask, Answer answer) {
    return List.of(calls.answer(ask, answer));
  }

  /** Twice: what was written before is read in order but answered a moment later. */
  @Override
  public List<String> barrier(String name) {
    return List.of(calls.ping(CopilotCalls.BARRIER, name));
  }

  // ---- reading

  @Override
  public Reaction asked(Request request) {
    return Reaction.reply(RpcWriter.JSON_RPC_2.notOffered(request));
  }

  @Override
  public Reaction told(String method, JsonNode params) {
    return method.equals("session.event")
        ? Reaction.of(event(params.path("event")))
        : Reaction.NONE;
  }

  @Override
  public Reaction answered(CallId call, JsonNode result) {
    return switch (call.kind()) {
      case CopilotCalls.HELLO -> {
        memo.version = Json.text(result, "version");
        yield memo.started ? Reaction.NONE : Reaction.reply(calls.openSession());
      }
      case CopilotCalls.SESSION ->
          calls.allowAll() && !memo.started
              ? Reaction.reply(calls.allowEverything())
              : Reaction.of(started());
      case CopilotCalls.FREE -> Reaction.of(started());
      case CopilotCalls.PROMPT, CopilotCalls.STEER ->
          Reaction.of(accepted(call, Json.text(result, "messageId")));
      case CopilotCalls.BARRIER ->
          Reaction.reply(calls.ping(CopilotCalls.BARRIER_AGAIN, call.about()));
      case CopilotCalls.BARRIER_AGAIN -> Reaction.of(new AgentEvent.BarrierPassed(call.about()));
      default -> Reaction.NONE;
    };
  }

  @Override
  public Reaction refused(Failure failure) {
    CallId call = failure.call();
    return switch (call.kind()) {
      case CopilotCalls.HELLO, CopilotCalls.SESSION, CopilotCalls.FREE ->
          memo.started ? Reaction.NONE : Reaction.hopeless(failure.message());
      case CopilotCalls.PROMPT ->
          Reaction.of(new AgentEvent.TurnEnded(TurnEnd.ERROR, failure.message(), ""));
      case CopilotCalls.STEER ->
          Reaction.of(new AgentEvent.SteerRefused(SteerId.of(call.about()), failure.message()));
      default -> Reaction.NONE;
    };
  }

  private List<AgentEvent> started() {
    if (memo.started) {
      return List.of();
    }
    memo.started = true;
    memo.named = calls.resumes();
    return List.of(
        new AgentEvent.Started(
            memo.version, CAN, Optional.of(calls.session()).filter(_ -> calls.resumes())));
  }

  // ---- messages of ours

  private List<AgentEvent> accepted(CallId call, String message) {
    String evidence = "messageId " + message;
    List<AgentEvent> events = new ArrayList<>();
    events.add(
        call.kind().equals(CopilotCalls.PROMPT)
            ? new AgentEvent.PromptAccepted(Integer.parseInt(call.about()), evidence)
            : new AgentEvent.SteerAccepted(SteerId.of(call.about()), evidence));
    memo.held.put(message, call.text());
    if (memo.shown.remove(message)) {
      events.addAll(shown(message, ""));
    }
    return events;
  }

  /** A message is in the conversation: one of ours by its id, or one that is not known yet. */
  private List<AgentEvent> shown(String message, String delivery) {
    String ours = memo.held.remove(message);
    if (ours == null) {
      memo.shown.add(message);
      return List.of();
    }
    String evidence = "user.message" + (delivery.isEmpty() ? "" : ", " + delivery);
    String about = ours.substring(ours.indexOf(':') + 1);
    List<AgentEvent> events = new ArrayList<>();
    if (ours.startsWith(CopilotCalls.PROMPT)) {
      beginTurn(false, events);
      events.add(new AgentEvent.PromptInjected(Integer.parseInt(about), evidence));
    } else {
      events.add(new AgentEvent.SteerInjected(SteerId.of(about), evidence));
      beginTurn(true, events);
    }
    return events;
  }

  private void beginTurn(boolean byItself, List<AgentEvent> events) {
    if (!memo.working) {
      memo.working = true;
      memo.error = "";
      events.add(new AgentEvent.TurnStarted(byItself));
    }
    if (!memo.named) {
      memo.named = true;
      events.add(new AgentEvent.SessionNamed(calls.session()));
    }
  }

  // ---- what happens

  private List<AgentEvent> event(JsonNode event) {
    JsonNode data = event.path("data");
    return switch (Json.text(event, "type")) {
      case "user.message" -> shown(Json.text(data, "messageId"), Json.text(data, "delivery"));
      case "assistant.turn_start" -> turnGoesOn();
      case "assistant.message" -> said(data);
      case "assistant.usage" ->
          List.of(
              new AgentEvent.Used(
                  new Spent(
                      data.path("inputTokens").asLong(), data.path("outputTokens").asLong(), 0)));
      case "assistant.turn_retry" -> List.of(new AgentEvent.Waiting("it asks the model again"));
      case "tool.execution_start" ->
          List.of(
              new AgentEvent.ToolStarted(
                  Json.text(data, "toolCallId"),
                  Json.text(data, "toolName"),
                  ToolLine.of(data.path("arguments")),
                  Optional.empty()));
      case "tool.execution_partial_result" ->
          List.of(
              new AgentEvent.ToolOutput(
                  Json.text(data, "toolCallId"), ToolLine.first(Json.text(data, "partialOutput"))));
      case "tool.execution_complete" ->
          List.of(
              new AgentEvent.ToolFinished(
                  Json.text(data, "toolCallId"),
                  data.path("success").asBoolean(),
                  ToolLine.first(Json.text(data.path("result"), "content"))));
      case "permission.requested" -> asked(data);
      case "permission.completed" ->
          List.of(
              new AgentEvent.AskClosed(
                  Json.text(data, "requestId"), Json.text(data.path("result"), "kind")));
      case "session.error" -> {
        memo.error = Json.text(data, "message");
        yield List.of();
      }
      case "session.idle" -> idle(data.path("aborted").asBoolean());
      default -> List.of();
    };
  }

  /** After a message of ours it is working already; else a command in the background has ended. */
  private List<AgentEvent> turnGoesOn() {
    List<AgentEvent> events = new ArrayList<>();
    if (memo.held.isEmpty() && memo.shown.isEmpty()) {
      beginTurn(true, events);
    }
    return events;
  }

  /** What a subagent says is its affair. */
  private List<AgentEvent> said(JsonNode data) {
    String text = Json.text(data, "content");
    if (text.isBlank() || !Json.text(data, "parentToolCallId").isEmpty()) {
      return List.of();
    }
    memo.answer = text;
    return List.of(new AgentEvent.Said(text));
  }

  private List<AgentEvent> asked(JsonNode data) {
    if (calls.allowAll()) {
      return List.of();
    }
    JsonNode request = data.path("permissionRequest");
    String command = Json.text(request, "fullCommandText");
    return List.of(
        new AgentEvent.Asked(
            Json.text(data, "requestId"),
            AskKind.PERMISSION,
            command.isEmpty()
                ? Json.text(request, "kind") + ": " + ToolLine.of(request)
                : ToolLine.first(command),
            request.toString()));
  }

  /** What it held when it was interrupted it has dropped. */
  private List<AgentEvent> idle(boolean aborted) {
    if (!memo.working) {
      return List.of();
    }
    memo.working = false;
    if (aborted) {
      memo.held.clear();
      memo.shown.clear();
    }
    String answer = memo.answer;
    memo.answer = "";
    TurnEnd how =
        aborted ? TurnEnd.INTERRUPTED : memo.error.isEmpty() ? TurnEnd.COMPLETED : TurnEnd.ERROR;
    String reason = how == TurnEnd.ERROR ? memo.error : "session.idle";
    return List.of(new AgentEvent.TurnEnded(how, reason, how == TurnEnd.ERROR ? "" : answer));
  }
}
