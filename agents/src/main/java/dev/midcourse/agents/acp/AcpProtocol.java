package dev.midcourse.agents.acp;

import dev.midcourse.agents.Agent.QuestionAnswer;
import dev.midcourse.agents.rpc.CallId;
import dev.midcourse.agents.rpc.RpcMessage.Failure;
import dev.midcourse.agents.rpc.RpcMessage.Request;
import dev.midcourse.agents.rpc.RpcProtocol;
import dev.midcourse.agents.rpc.RpcWriter;
import dev.midcourse.agents.stdio.ProtocolJson;
import dev.midcourse.agents.stdio.ProtocolOutput;
import dev.midcourse.agents.stdio.ToolSummary;
import dev.midcourse.core.agent.AgentEvent;
import dev.midcourse.core.agent.AgentEvent.AskKind;
import dev.midcourse.core.agent.AgentEvent.TurnEnd;
import dev.midcourse.core.id.SessionId;
import dev.midcourse.core.id.SteerId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * The Agent Client Protocol, version 1. A prompt stays open for its whole turn, and a second one is
 * never written before it is answered: what agents do with it ranges from taking it in to killing
 * the tool that runs. A steer goes the way of the extension where the agent offers that, else
 * nowhere.
 */
final class AcpProtocol implements RpcProtocol {
  private static final RpcWriter WRITER = RpcWriter.JSON_RPC_2;

  private final AcpSessionOptions wishes;
  private final AcpMemo memo;
  private final AcpSetup setup;
  private final AcpTools tools;

  AcpProtocol(AcpSessionOptions wishes, AcpMemo memo) {
    this.wishes = wishes;
    this.memo = memo;
    this.setup = new AcpSetup(wishes, memo);
    this.tools = new AcpTools(memo);
  }

  @Override
  public String memo() {
    return memo.write();
  }

  // ---- writing

  @Override
  public List<String> hello() {
    return List.of(AcpRequests.hello());
  }

  /** What is written behind the prompt is answered at once, which shows that it was read. */
  @Override
  public List<String> prompt(int turn, String message) {
    return List.of(
        AcpRequests.prompt(memo.session, turn, message),
        AcpRequests.nothing(CallId.of(AcpRequests.OPENING, turn)));
  }

  @Override
  public List<String> steer(SteerId steer, String message) {
    return memo.steering ? List.of(AcpRequests.steer(memo.session, steer, message)) : List.of();
  }

  /** The protocol wants every open request for permission to be called off as well. */
  @Override
  public List<String> interrupt() {
    return Stream.concat(
            Stream.of(AcpRequests.cancel(memo.session)),
            memo.asks.keySet().stream().map(ask -> AcpRequests.permission(ask, Optional.empty())))
        .toList();
  }

  /** Words are no choice among the options, so they are a no. */
  @Override
  public List<String> answer(String ask, QuestionAnswer answer) {
    AcpMemo.Permission options = memo.asks.get(ask);
    if (options == null) {
      return List.of();
    }
    String option =
        switch (answer) {
          case QuestionAnswer.Allow() -> options.allow();
          case QuestionAnswer.Deny _, QuestionAnswer.Words _ -> options.deny();
        };
    return List.of(AcpRequests.permission(ask, Optional.of(option).filter(id -> !id.isEmpty())));
  }

  @Override
  public List<String> barrier(String name) {
    return List.of(AcpRequests.nothing(CallId.of(AcpRequests.BARRIER, name)));
  }

  // ---- reading

  @Override
  public ProtocolOutput asked(Request request) {
    return request.method().equals("session/request_permission")
        ? permission(request)
        : ProtocolOutput.reply(WRITER.notOffered(request));
  }

  @Override
  public ProtocolOutput told(String method, JsonNode params) {
    return method.equals("session/update")
        ? ProtocolOutput.of(updated(params))
        : ProtocolOutput.NONE;
  }

  @Override
  public ProtocolOutput answered(CallId call, JsonNode result) {
    return switch (call.kind()) {
      case AcpRequests.HELLO -> setup.greeted(result);
      case AcpRequests.SESSION -> setup.opened(result);
      case AcpRequests.MODEL -> setup.modelSet();
      case AcpRequests.MODE -> setup.modeSet();
      case AcpRequests.PROMPT ->
          ProtocolOutput.of(ended(turn(call), AcpTurnEnd.of(result), AcpUsage.of(result, memo)));
      case AcpRequests.STEER ->
          steered(SteerId.of(call.about()), ProtocolJson.text(result, "outcome"));
      case AcpRequests.OPENING -> ProtocolOutput.of(read(turn(call)));
      case AcpRequests.BARRIER -> ProtocolOutput.of(new AgentEvent.BarrierPassed(call.about()));
      default -> ProtocolOutput.NONE;
    };
  }

  @Override
  public ProtocolOutput refused(Failure failure) {
    CallId call = failure.call();
    return switch (call.kind()) {
      case AcpRequests.HELLO -> setup.refused("it does not speak the protocol", failure);
      case AcpRequests.SESSION -> setup.refused("it gives no session", failure);
      case AcpRequests.MODEL -> setup.refused("it does not take the model", failure);
      case AcpRequests.MODE -> setup.refused("it does not take the mode", failure);
      case AcpRequests.PROMPT -> ProtocolOutput.of(failed(turn(call), AcpSetup.words(failure)));
      case AcpRequests.STEER ->
          ProtocolOutput.of(
              new AgentEvent.SteerRefused(SteerId.of(call.about()), AcpSetup.words(failure)));
      // Nobody offers these: the refusal is the answer.
      case AcpRequests.OPENING -> ProtocolOutput.of(read(turn(call)));
      case AcpRequests.BARRIER -> ProtocolOutput.of(new AgentEvent.BarrierPassed(call.about()));
      default -> ProtocolOutput.NONE;
    };
  }

  private static int turn(CallId call) {
    return Integer.parseInt(call.about());
  }

  // ---- turns

  /** It has read the prompt of this turn, and what it does from now on belongs to it. */
  private List<AgentEvent> read(int turn) {
    if (turn <= memo.ended || turn == memo.turn) {
      return List.of();
    }
    memo.turn = turn;
    memo.injected = false;
    return List.of(
        new AgentEvent.PromptAccepted(turn, "answered what was written behind it"),
        new AgentEvent.TurnStarted(false));
  }

  private List<AgentEvent> ended(int turn, AgentEvent.TurnEnded end, Optional<AgentEvent> used) {
    List<AgentEvent> events = new ArrayList<>(read(turn));
    if (turn <= memo.ended) {
      return events;
    }
    events.addAll(named());
    events.addAll(shown("stop reason " + end.reason()));
    events.addAll(said());
    used.ifPresent(events::add);
    events.add(new AgentEvent.TurnEnded(end.how(), end.reason(), memo.answer));
    over(turn);
    return events;
  }

  private List<AgentEvent> failed(int turn, String why) {
    List<AgentEvent> events = new ArrayList<>(read(turn));
    if (turn <= memo.ended) {
      return events;
    }
    events.addAll(said());
    events.add(new AgentEvent.TurnEnded(TurnEnd.ERROR, why, ""));
    over(turn);
    return events;
  }

  private void over(int turn) {
    memo.ended = turn;
    memo.turn = 0;
    memo.answer = "";
    memo.asks.clear();
    memo.tools.clear();
  }

  private List<AgentEvent> shown(String evidence) {
    if (memo.injected) {
      return List.of();
    }
    memo.injected = true;
    return List.of(new AgentEvent.PromptInjected(memo.turn, evidence));
  }

  /** Told when there is something to resume, which is not before the model has worked. */
  private List<AgentEvent> named() {
    if (memo.named) {
      return List.of();
    }
    memo.named = true;
    return List.of(new AgentEvent.SessionNamed(SessionId.of(memo.session)));
  }

  private ProtocolOutput steered(SteerId steer, String outcome) {
    return switch (outcome) {
      case "injected" ->
          ProtocolOutput.of(new AgentEvent.SteerAccepted(steer, "_session/steering: injected"));
      case "promptRequired" ->
          ProtocolOutput.of(new AgentEvent.SteerNotTaken(steer, "no turn runs"));
      // It was told not to. The end of such a turn is told nobody, so it must not go on.
      case "startedNewTurn" ->
          new ProtocolOutput(
              List.of(new AgentEvent.SteerRefused(steer, "it began a turn of its own with it")),
              List.of(AcpRequests.cancel(memo.session)));
      default ->
          ProtocolOutput.of(new AgentEvent.SteerRefused(steer, "the agent says: " + outcome));
    };
  }

  // ---- what happens in a turn

  /** Outside of a turn it tells what was before, when a session is loaded, or of itself. */
  private List<AgentEvent> updated(JsonNode params) {
    JsonNode update = params.path("update");
    if (!ProtocolJson.text(params, "sessionId").equals(memo.session)) {
      return List.of();
    }
    String kind = ProtocolJson.text(update, "sessionUpdate");
    if (kind.equals("usage_update")) {
      AcpUsage.heard(update, memo);
    }
    if (memo.turn == 0) {
      return List.of();
    }
    return switch (kind) {
      case "agent_message_chunk" ->
          working(words(ProtocolJson.text(update.path("content"), "text")));
      case "agent_thought_chunk", "plan" -> working(List.of());
      case "tool_call", "tool_call_update" -> working(tool(update, false));
      default -> List.of();
    };
  }

  /**
   * The model works on the prompt. One that folds messages into a running turn may as well be
   * working on something else, so of that only the answer to the prompt is evidence.
   */
  private List<AgentEvent> working(List<AgentEvent> more) {
    List<AgentEvent> events = new ArrayList<>(named());
    if (!memo.steering) {
      events.addAll(shown("the model works on it"));
    }
    events.addAll(more);
    return events;
  }

  /** Words are told by the paragraph; the rest with the next tool or the end. */
  private List<AgentEvent> words(String text) {
    memo.saying += text;
    memo.answer += text;
    int end = memo.saying.lastIndexOf("\n\n");
    if (end < 0) {
      return List.of();
    }
    String whole = memo.saying.substring(0, end);
    memo.saying = memo.saying.substring(end + 2);
    return whole.isBlank() ? List.of() : List.of(new AgentEvent.Said(whole.strip()));
  }

  private List<AgentEvent> said() {
    String rest = memo.saying.strip();
    memo.saying = "";
    return rest.isEmpty() ? List.of() : List.of(new AgentEvent.Said(rest));
  }

  /** What was said before a tool is no part of the final answer. */
  private List<AgentEvent> tool(JsonNode call, boolean asked) {
    List<AgentEvent> heard = tools.heard(call, asked);
    if (heard.isEmpty()) {
      return List.of();
    }
    List<AgentEvent> events = new ArrayList<>(said());
    memo.answer = "";
    events.addAll(heard);
    return events;
  }

  private ProtocolOutput permission(Request request) {
    JsonNode call = request.params().path("toolCall");
    JsonNode options = request.params().path("options");
    String ask = request.id().ask(wishes.attempt());
    AcpMemo.Permission choice =
        new AcpMemo.Permission(option(options, "allow"), option(options, "reject"));
    List<AgentEvent> events = new ArrayList<>(working(tool(call, true)));
    if (wishes.allowAll()) {
      return new ProtocolOutput(
          events,
          List.of(
              AcpRequests.permission(
                  ask, Optional.of(choice.allow()).filter(id -> !id.isEmpty()))));
    }
    memo.asks.put(ask, choice);
    events.add(
        new AgentEvent.Asked(
            ask,
            AskKind.PERMISSION,
            ToolSummary.first(ProtocolJson.text(call, "title")),
            call.path("rawInput").isMissingNode() ? "" : call.path("rawInput").toString()));
    return new ProtocolOutput(events, List.of());
  }

  /** For this once if it can be had; what is for ever is for people to choose elsewhere. */
  private static String option(JsonNode options, String kind) {
    return Stream.of("_once", "_always")
        .flatMap(how ->
            options
                .valueStream()
                .filter(option -> ProtocolJson.text(option, "kind").equals(kind + how))
                .map(option -> ProtocolJson.text(option, "optionId")))
        .findFirst()
        .orElse("");
  }
}
