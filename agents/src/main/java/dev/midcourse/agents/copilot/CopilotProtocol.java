package dev.midcourse.agents.copilot;

import dev.midcourse.agents.rpc.CallId;
import dev.midcourse.agents.rpc.RpcMessage.Failure;
import dev.midcourse.agents.rpc.RpcMessage.Request;
import dev.midcourse.agents.rpc.RpcProtocol;
import dev.midcourse.agents.rpc.RpcWriter;
import dev.midcourse.agents.stdio.Copies;
import dev.midcourse.agents.stdio.ProtocolJson;
import dev.midcourse.agents.stdio.ProtocolOutput;
import dev.midcourse.agents.stdio.RequestDetail;
import dev.midcourse.agents.stdio.ToolSummary;
import dev.midcourse.core.agent.AgentEvent;
import dev.midcourse.core.agent.AgentEvent.AskKind;
import dev.midcourse.core.agent.AgentEvent.TurnEnd;
import dev.midcourse.core.agent.Capabilities;
import dev.midcourse.core.agent.Capability;
import dev.midcourse.core.agent.Usage;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.run.AskAnswer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * The protocol of Copilot's headless mode. Copilot gives every message an id and shows the message
 * with that id when it is in the conversation. A turn is over when the session is idle; commands
 * that Copilot has moved to the background belong to the turn.
 */
final class CopilotProtocol implements RpcProtocol {
  /**
   * Without {@code RESUME}: Copilot can resume, but the stored session of a killed process may lack
   * messages that were shown.
   */
  static final Capabilities CAPABILITIES =
      Capabilities.of(
          Capability.MID_TURN_STEER,
          Capability.ACCEPTED_EVIDENCE,
          Capability.INJECTED_EVIDENCE,
          Capability.INTERRUPT,
          Capability.INTERRUPT_ENDS_TOOLS,
          Capability.BARRIER,
          Capability.BLOCKS_TOOLS,
          Capability.ASKS_PERMISSION);

  private final CopilotRequests calls;
  private CopilotMemo memo;

  CopilotProtocol(CopilotRequests calls, CopilotMemo memo) {
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
    return List.of(calls.send(CallId.of(CopilotRequests.PROMPT, turn), message));
  }

  @Override
  public List<String> steer(SteerId steer, String message) {
    return List.of(calls.send(CallId.of(CopilotRequests.STEER, steer), message));
  }

  /**
   * Copilot processes several calls at once, so two calls in quick succession can change their
   * order.
   */
  @Override
  public boolean keepsOrder() {
    return false;
  }

  @Override
  public List<String> interrupt() {
    return List.of(calls.interrupt());
  }

  @Override
  public List<String> answer(String ask, AskAnswer answer) {
    return List.of(calls.answer(ask, answer));
  }

  /**
   * Sends a second request after the first answer. Copilot reads earlier input in order but answers
   * it a moment later.
   */
  @Override
  public List<String> barrier(String name) {
    return List.of(calls.ping(CopilotRequests.BARRIER, name));
  }

  // ---- reading

  @Override
  public ProtocolOutput asked(Request request) {
    return ProtocolOutput.reply(RpcWriter.JSON_RPC_2.notOffered(request));
  }

  @Override
  public ProtocolOutput onNotification(String method, JsonNode params) {
    return method.equals("session.event")
        ? ProtocolOutput.of(event(params.path("event")))
        : ProtocolOutput.NONE;
  }

  @Override
  public ProtocolOutput answered(CallId call, JsonNode result) {
    return switch (call.kind()) {
      case CopilotRequests.HELLO -> {
        memo = memo.withVersion(ProtocolJson.text(result, "version"));
        yield memo.started() ? ProtocolOutput.NONE : ProtocolOutput.reply(calls.openSession());
      }
      case CopilotRequests.SESSION ->
          calls.allowAll() && !memo.started()
              ? ProtocolOutput.reply(calls.allowEverything())
              : ProtocolOutput.of(started());
      case CopilotRequests.FREE -> ProtocolOutput.of(started());
      case CopilotRequests.PROMPT, CopilotRequests.STEER ->
          ProtocolOutput.of(accepted(call, ProtocolJson.text(result, "messageId")));
      case CopilotRequests.BARRIER ->
          ProtocolOutput.reply(calls.ping(CopilotRequests.SECOND_BARRIER, call.about()));
      case CopilotRequests.SECOND_BARRIER ->
          ProtocolOutput.of(new AgentEvent.BarrierPassed(call.about()));
      default -> ProtocolOutput.NONE;
    };
  }

  @Override
  public ProtocolOutput refused(Failure failure) {
    CallId call = failure.call();
    return switch (call.kind()) {
      case CopilotRequests.HELLO, CopilotRequests.SESSION, CopilotRequests.FREE ->
          memo.started() ? ProtocolOutput.NONE : ProtocolOutput.fatal(failure.message());
      case CopilotRequests.PROMPT ->
          ProtocolOutput.of(new AgentEvent.TurnEnded(TurnEnd.ERROR, failure.message(), ""));
      case CopilotRequests.STEER ->
          ProtocolOutput.of(
              new AgentEvent.SteerRefused(SteerId.of(call.about()), failure.message()));
      default -> ProtocolOutput.NONE;
    };
  }

  private List<AgentEvent> started() {
    if (memo.started()) {
      return List.of();
    }
    memo = memo.asStarted(calls.resumes());
    return List.of(
        new AgentEvent.Started(
            memo.version(),
            CAPABILITIES,
            Optional.of(calls.session()).filter(_ -> calls.resumes())));
  }

  // ---- messages that Midcourse sent

  private List<AgentEvent> accepted(CallId call, String message) {
    String evidence = "messageId " + message;
    List<AgentEvent> events = new ArrayList<>();
    events.add(
        call.kind().equals(CopilotRequests.PROMPT)
            ? new AgentEvent.PromptAccepted(Integer.parseInt(call.about()), evidence)
            : new AgentEvent.SteerAccepted(SteerId.of(call.about()), evidence));
    memo = memo.withHeld(Copies.with(memo.held(), message, call.text()));
    if (memo.shown().contains(message)) {
      memo = memo.withShown(Copies.without(memo.shown(), message));
      events.addAll(shown(message, ""));
    }
    return events;
  }

  /**
   * A message is in the conversation. If its id is not known yet, the id is kept until the answer
   * to the call arrives.
   */
  private List<AgentEvent> shown(String message, String delivery) {
    String ours = memo.held().get(message);
    if (ours == null) {
      memo = memo.withShown(Copies.with(memo.shown(), message));
      return List.of();
    }
    memo = memo.withHeld(Copies.without(memo.held(), message));
    String evidence = "user.message" + (delivery.isEmpty() ? "" : ", " + delivery);
    String about = ours.substring(ours.indexOf(':') + 1);
    List<AgentEvent> events = new ArrayList<>();
    if (ours.startsWith(CopilotRequests.PROMPT)) {
      beginTurn(false, events);
      events.add(new AgentEvent.PromptInjected(Integer.parseInt(about), evidence));
    } else {
      events.add(new AgentEvent.SteerInjected(SteerId.of(about), evidence));
      beginTurn(true, events);
    }
    return events;
  }

  private void beginTurn(boolean byItself, List<AgentEvent> events) {
    if (!memo.working()) {
      memo = memo.asWorking();
      events.add(new AgentEvent.TurnStarted(byItself));
    }
    if (!memo.named()) {
      memo = memo.asNamed();
      events.add(new AgentEvent.SessionNamed(calls.session()));
    }
  }

  // ---- session events

  private List<AgentEvent> event(JsonNode event) {
    JsonNode data = event.path("data");
    return switch (ProtocolJson.text(event, "type")) {
      case "user.message" ->
          shown(ProtocolJson.text(data, "messageId"), ProtocolJson.text(data, "delivery"));
      case "assistant.turn_start" -> continueTurn();
      case "assistant.message" -> said(data);
      case "assistant.usage" ->
          List.of(
              new AgentEvent.Used(
                  new Usage(
                      data.path("inputTokens").asLong(), data.path("outputTokens").asLong(), 0)));
      case "assistant.turn_retry" -> List.of(new AgentEvent.Waiting("retrying the model request"));
      case "tool.execution_start" ->
          List.of(
              new AgentEvent.ToolStarted(
                  ProtocolJson.text(data, "toolCallId"),
                  ProtocolJson.text(data, "toolName"),
                  ToolSummary.of(data.path("arguments")),
                  Optional.empty()));
      case "tool.execution_partial_result" ->
          List.of(
              new AgentEvent.ToolOutput(
                  ProtocolJson.text(data, "toolCallId"),
                  ToolSummary.first(ProtocolJson.text(data, "partialOutput"))));
      case "tool.execution_complete" ->
          List.of(
              new AgentEvent.ToolFinished(
                  ProtocolJson.text(data, "toolCallId"),
                  data.path("success").asBoolean(),
                  ToolSummary.first(ProtocolJson.text(data.path("result"), "content"))));
      case "permission.requested" -> asked(data);
      case "permission.completed" ->
          List.of(
              new AgentEvent.AskClosed(
                  ProtocolJson.text(data, "requestId"),
                  ProtocolJson.text(data.path("result"), "kind")));
      case "session.error" -> {
        memo = memo.withError(ProtocolJson.text(data, "message"));
        yield List.of();
      }
      case "session.idle" -> idle(data.path("aborted").asBoolean());
      default -> List.of();
    };
  }

  /** Starts a turn if no message is on its way: then a background command has ended. */
  private List<AgentEvent> continueTurn() {
    List<AgentEvent> events = new ArrayList<>();
    if (memo.held().isEmpty() && memo.shown().isEmpty()) {
      beginTurn(true, events);
    }
    return events;
  }

  /** Reports text of the model. The text of a subagent is not reported. */
  private List<AgentEvent> said(JsonNode data) {
    String text = ProtocolJson.text(data, "content");
    if (text.isBlank() || !ProtocolJson.text(data, "parentToolCallId").isEmpty()) {
      return List.of();
    }
    memo = memo.withAnswer(text);
    return List.of(new AgentEvent.Said(text));
  }

  private List<AgentEvent> asked(JsonNode data) {
    if (calls.allowAll()) {
      return List.of();
    }
    JsonNode request = data.path("permissionRequest");
    String command = ProtocolJson.text(request, "fullCommandText");
    return List.of(
        new AgentEvent.Asked(
            ProtocolJson.text(data, "requestId"),
            AskKind.PERMISSION,
            command.isEmpty()
                ? ProtocolJson.text(request, "kind") + ": " + ToolSummary.asked(request)
                : ToolSummary.firstOf(command),
            RequestDetail.of(request)));
  }

  /** Ends the turn. After an interrupt, Copilot has dropped the messages that it held. */
  private List<AgentEvent> idle(boolean aborted) {
    if (!memo.working()) {
      return List.of();
    }
    String answer = memo.answer();
    memo = aborted ? memo.asIdle().withoutMessages() : memo.asIdle();
    TurnEnd how =
        aborted ? TurnEnd.INTERRUPTED : memo.error().isEmpty() ? TurnEnd.COMPLETED : TurnEnd.ERROR;
    String reason = how == TurnEnd.ERROR ? memo.error() : "session.idle";
    return List.of(new AgentEvent.TurnEnded(how, reason, how == TurnEnd.ERROR ? "" : answer));
  }
}
