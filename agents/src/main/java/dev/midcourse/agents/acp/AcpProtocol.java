package dev.midcourse.agents.acp;

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

  private final AcpWishes wishes;
  private final AcpMemo memo;
  private final AcpSetup setup;
  private final AcpTools tools;

  AcpProtocol(AcpWishes wishes, AcpMemo memo) {
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
    return List.of(AcpCalls.hello());
  }

  /** What is written behind the prompt is answered at once, which shows that it was read. */
  @Override
  public List<String> prompt(int turn, String message) {
    return List.of(
        AcpCalls.prompt(memo.session, turn, message),
        AcpCalls.nothing(CallId.of(AcpCalls.OPENING, turn)));
  }

  @Override
  public List<String> steer(SteerId steer, String message) {
    return memo.steering ? List.of(AcpCalls.steer(memo.session, steer, message)) : List.of();
  }

  /** The protocol wants every open request for permission to be called off as well. */
  @Override
  public List<String> interrupt() {
    return Stream.concat(
            Stream.of(AcpCalls.cancel(memo.session)),
            memo.asks.keySet().stream().map(ask -> AcpCalls.permission(ask, Optional.empty())))
        .toList();
  }

  /** Words are no choice among the options, so they are a no. */
  @Override
  public List<String> answer(String ask, Answer answer) {
    AcpMemo.Permission options = memo.asks.get(ask);
    if (options == null) {
      return List.of();
    }
    String option =
        switch (answer) {
          case Answer.Allow() -> options.allow();
          case Answer.Deny _, Answer.Words _ -> options.deny();
        };
    return List.of(AcpCalls.permission(ask, Optional.of(option).filter(id -> !id.isEmpty())));
  }

  @Override
  public List<String> barrier(String name) {
    return List.of(AcpCalls.nothing(CallId.of(AcpCalls.BARRIER, name)));
  }

  // ---- reading

  @Override
  public Reaction asked(Request request) {
    return request.method().equals("session/request_permission")
        ? permission(request)
        : Reaction.reply(WRITER.notOffered(request));
  }

  @Override
  public Reaction told(String method, JsonNode params) {
    return method.equals("session/update") ? Reaction.of(updated(params)) : Reaction.NONE;
  }

  @Override
  public Reaction answered(CallId call, JsonNode result) {
    return switch (call.kind()) {
      case AcpCalls.HELLO -> setup.greeted(result);
      case AcpCalls.SESSION -> setup.opened(result);
      case AcpCalls.MODEL -> setup.modelSet();
      case AcpCalls.MODE -> setup.modeSet();
      case AcpCalls.PROMPT ->
          Reaction.of(ended(turn(call), AcpEnds.of(result), AcpSpending.of(result, memo)));
      case AcpCalls.STEER -> steered(SteerId.of(call.about()), Json.text(result, "outcome"));
      case AcpCalls.OPENING -> Reaction.of(read(turn(call)));
      case AcpCalls.BARRIER -> Reaction.of(new AgentEvent.BarrierPassed(call.about()));
      default -> Reaction.NONE;
    };
  }

  @Override
  public Reaction refused(Failure failure) {
    CallId call = failure.call();
    return switch (call.kind()) {
      case AcpCalls.HELLO -> setup.refused("it does not speak the protocol", failure);
      case AcpCalls.SESSION -> setup.refused("it gives no session", failure);
      case AcpCalls.MODEL -> setup.refused("it does not take the model", failure);
      case AcpCalls.MODE -> setup.refused("it does not take the mode", failure);
      case AcpCalls.PROMPT -> Reaction.of(failed(turn(call), AcpSetup.words(failure)));
      case AcpCalls.STEER ->
          Reaction.of(
              new AgentEvent.SteerRefused(SteerId.of(call.about()), AcpSetup.words(failure)));
      // Nobody offers these: the refusal is the answer.
      case AcpCalls.OPENING -> Reaction.of(read(turn(call)));
      case AcpCalls.BARRIER -> Reaction.of(new AgentEvent.BarrierPassed(call.about()));
      default -> Reaction.NONE;
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

  private Reaction steered(SteerId steer, String outcome) {
    return switch (outcome) {
      case "injected" ->
          Reaction.of(new AgentEvent.SteerAccepted(steer, "_session/steering: injected"));
      case "promptRequired" -> Reaction.of(new AgentEvent.SteerNotTaken(steer, "no turn runs"));
      // It was told not to. The end of such a turn is told nobody, so it must not go on.
      case "startedNewTurn" ->
          new Reaction(
              List.of(new AgentEvent.SteerRefused(steer, "it began a turn of its own with it")),
              List.of(AcpCalls.cancel(memo.session)));
      default -> Reaction.of(new AgentEvent.SteerRefused(steer, "the agent says: " + outcome));
    };
  }

  // ---- what happens in a turn

  /** Outside of a turn it tells what was before, when a session is loaded, or of itself. */
  private List<AgentEvent> updated(JsonNode params) {
    JsonNode update = params.path("update");
    if (!Json.text(params, "sessionId").equals(memo.session)) {
      return List.of();
    }
    String kind = Json.text(update, "sessionUpdate");
    if (kind.equals("usage_update")) {
      AcpSpending.heard(update, memo);
    }
    if (memo.turn == 0) {
      return List.of();
    }
    return switch (kind) {
      case "agent_message_chunk" -> working(words(Json.text(update.path("content"), "text")));
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

  private Reaction permission(Request request) {
    JsonNode call = request.params().path("toolCall");
    JsonNode options = request.params().path("options");
    String ask = request.id().ask(wishes.attempt());
    AcpMemo.Permission choice =
        new AcpMemo.Permission(option(options, "allow"), option(options, "reject"));
    List<AgentEvent> events = new ArrayList<>(working(tool(call, true)));
    if (wishes.allowAll()) {
      return new Reaction(
          events,
          List.of(
              AcpCalls.permission(ask, Optional.of(choice.allow()).filter(id -> !id.isEmpty()))));
    }
    memo.asks.put(ask, choice);
    events.add(
        new AgentEvent.Asked(
            ask,
            AskKind.PERMISSION,
            ToolLine.first(Json.text(call, "title")),
            call.path("rawInput").isMissingNode() ? "" : call.path("rawInput").toString()));
    return new Reaction(events, List.of());
  }

  /** For this once if it can be had; what is for ever is for people to choose elsewhere. */
  private static String option(JsonNode options, String kind) {
    return Stream.of("_once", "_always")
        .flatMap(how ->
            options
                .valueStream()
                .filter(option -> Json.text(option, "kind").equals(kind + how))
                .map(option -> Json.text(option, "optionId")))
        .findFirst()
        .orElse("");
  }
}
