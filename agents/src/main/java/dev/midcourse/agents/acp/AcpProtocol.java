package dev.midcourse.agents.acp;

import dev.midcourse.agents.rpc.CallId;
import dev.midcourse.agents.rpc.RpcMessage.Failure;
import dev.midcourse.agents.rpc.RpcMessage.Request;
import dev.midcourse.agents.rpc.RpcProtocol;
import dev.midcourse.agents.rpc.RpcWriter;
import dev.midcourse.agents.stdio.ProtocolJson;
import dev.midcourse.agents.stdio.ProtocolOutput;
import dev.midcourse.agents.stdio.RequestDetail;
import dev.midcourse.agents.stdio.ToolSummary;
import dev.midcourse.core.agent.AgentEvent;
import dev.midcourse.core.agent.AgentEvent.AskKind;
import dev.midcourse.core.agent.AgentEvent.TurnEnd;
import dev.midcourse.core.agent.Usage;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.run.AskAnswer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The Agent Client Protocol, version 1. A prompt stays open for its whole turn. A second prompt is
 * never written before the first is answered, because agents treat it differently: some add it to
 * the turn, some kill the running tool. A steer is sent through the extension for steers; an agent
 * without this extension gets no steers.
 */
final class AcpProtocol implements RpcProtocol {
  private static final RpcWriter WRITER = RpcWriter.JSON_RPC_2;

  private final AcpSetup.SessionOptions options;
  private final AcpSetup setup;
  private final AcpTools tools;
  private AcpMemo.TurnState current;
  private AcpMemo.Cost cost;

  AcpProtocol(AcpSetup.SessionOptions options, AcpMemo memo) {
    this.options = options;
    this.setup = new AcpSetup(options, memo);
    this.tools = new AcpTools(memo.tools());
    this.current = memo.current();
    this.cost = memo.cost();
  }

  @Override
  public String memo() {
    return new AcpMemo(setup.greeting(), setup.session(), current, tools.inUse(), cost).write();
  }

  private String session() {
    return setup.session().id();
  }

  // ---- writing

  @Override
  public List<String> hello() {
    return List.of(AcpRequests.hello());
  }

  /**
   * Writes a request behind the prompt that the agent answers at once. The answer shows that the
   * agent has read the prompt.
   */
  @Override
  public List<String> prompt(int turn, String message) {
    return List.of(
        AcpRequests.prompt(session(), turn, message),
        AcpRequests.nothing(CallId.of(AcpRequests.OPENING, turn)));
  }

  @Override
  public List<String> steer(SteerId steer, String message) {
    return setup.greeting().steering()
        ? List.of(AcpRequests.steer(session(), steer, message))
        : List.of();
  }

  /** Also cancels every open permission request, as the protocol demands. */
  @Override
  public List<String> interrupt() {
    return Stream.concat(
            Stream.of(AcpRequests.cancel(session())),
            current.asks().keySet().stream()
                .map(ask -> AcpRequests.permission(ask, Optional.empty())))
        .toList();
  }

  /** A text is not one of the offered options, so it counts as a denial. */
  @Override
  public List<String> answer(String ask, AskAnswer answer) {
    AcpMemo.Permission choice = current.asks().get(ask);
    if (choice == null) {
      return List.of();
    }
    String option =
        switch (answer) {
          case AskAnswer.Allow() -> choice.allow();
          case AskAnswer.Deny _, AskAnswer.Words _ -> choice.deny();
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
  public ProtocolOutput onNotification(String method, JsonNode params) {
    return method.equals("session/update")
        ? ProtocolOutput.of(updated(params))
        : ProtocolOutput.NONE;
  }

  @Override
  public ProtocolOutput answered(CallId call, JsonNode result) {
    return switch (call.kind()) {
      case AcpRequests.HELLO -> greeted(result);
      case AcpRequests.SESSION -> setup.opened(result);
      case AcpRequests.MODEL -> setup.modelSet();
      case AcpRequests.MODE -> setup.modeSet();
      case AcpRequests.PROMPT -> {
        AcpTurnResult ending = AcpTurnResult.of(result, cost);
        cost = cost.atEndOfTurn();
        yield ProtocolOutput.of(ended(turn(call), ending));
      }
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
      case AcpRequests.PROMPT -> ProtocolOutput.of(failed(turn(call), AcpSetup.describe(failure)));
      case AcpRequests.STEER ->
          ProtocolOutput.of(
              new AgentEvent.SteerRefused(SteerId.of(call.about()), AcpSetup.describe(failure)));
      // No agent offers these requests, so the refusal is the answer.
      case AcpRequests.OPENING -> ProtocolOutput.of(read(turn(call)));
      case AcpRequests.BARRIER -> ProtocolOutput.of(new AgentEvent.BarrierPassed(call.about()));
      default -> ProtocolOutput.NONE;
    };
  }

  private ProtocolOutput greeted(JsonNode result) {
    if (session().isEmpty()) {
      cost = cost.ofSession(options.resume().isPresent());
    }
    return setup.greeted(result);
  }

  private static int turn(CallId call) {
    return Integer.parseInt(call.about());
  }

  // ---- turns

  /** The agent has read the prompt of this turn. All later events belong to this turn. */
  private List<AgentEvent> read(int turn) {
    if (turn <= current.ended() || turn == current.turn()) {
      return List.of();
    }
    current = current.asBegun(turn);
    return List.of(
        new AgentEvent.PromptAccepted(turn, "answered what was written behind it"),
        new AgentEvent.TurnStarted(false));
  }

  private List<AgentEvent> ended(int turn, AcpTurnResult result) {
    AgentEvent.TurnEnded end = result.end();
    List<AgentEvent> events = new ArrayList<>(read(turn));
    if (turn <= current.ended()) {
      return events;
    }
    // A session can be resumed only after the model has worked.
    events.addAll(setup.named());
    events.addAll(shown("stop reason " + end.reason()));
    events.addAll(said());
    if (!result.used().equals(Usage.NOTHING)) {
      events.add(new AgentEvent.Used(result.used()));
    }
    events.add(new AgentEvent.TurnEnded(end.how(), end.reason(), current.answer()));
    over(turn);
    return events;
  }

  private List<AgentEvent> failed(int turn, String why) {
    List<AgentEvent> events = new ArrayList<>(read(turn));
    if (turn <= current.ended()) {
      return events;
    }
    events.addAll(said());
    events.add(new AgentEvent.TurnEnded(TurnEnd.ERROR, why, ""));
    over(turn);
    return events;
  }

  private void over(int turn) {
    current = current.asEnded(turn);
    tools.clear();
  }

  private List<AgentEvent> shown(String evidence) {
    if (current.injected()) {
      return List.of();
    }
    current = current.asInjected();
    return List.of(new AgentEvent.PromptInjected(current.turn(), evidence));
  }

  private ProtocolOutput steered(SteerId steer, String outcome) {
    return switch (outcome) {
      case "injected" ->
          ProtocolOutput.of(new AgentEvent.SteerAccepted(steer, "_session/steering: injected"));
      case "promptRequired" ->
          ProtocolOutput.of(new AgentEvent.SteerNotTaken(steer, "no turn runs"));
      // The request forbade a new turn. The agent does not report the end of such a turn, so the
      // turn is cancelled.
      case "startedNewTurn" ->
          new ProtocolOutput(
              List.of(new AgentEvent.SteerRefused(steer, "it began a turn of its own with it")),
              List.of(AcpRequests.cancel(session())));
      default ->
          ProtocolOutput.of(new AgentEvent.SteerRefused(steer, "the agent says: " + outcome));
    };
  }

  // ---- events in a turn

  /**
   * Ignores updates outside of a turn: an agent repeats the old conversation when it loads a
   * session, and reports its own state.
   */
  private List<AgentEvent> updated(JsonNode params) {
    JsonNode update = params.path("update");
    if (!ProtocolJson.text(params, "sessionId").equals(session())) {
      return List.of();
    }
    String kind = ProtocolJson.text(update, "sessionUpdate");
    if (kind.equals("usage_update")) {
      AcpTurnResult.sum(update).ifPresent(sum -> cost = cost.withNow(sum));
    }
    if (current.turn() == 0) {
      return List.of();
    }
    return switch (kind) {
      case "agent_message_chunk" ->
          working(textEvents(ProtocolJson.text(update.path("content"), "text")));
      case "agent_thought_chunk", "plan" -> working(List.of());
      case "tool_call", "tool_call_update" -> working(tool(update, false));
      default -> List.of();
    };
  }

  /**
   * The model works on the prompt. An agent with steers may be working on a steer instead, so for
   * such an agent only the answer to the prompt is evidence.
   */
  private List<AgentEvent> working(List<AgentEvent> more) {
    List<AgentEvent> events = new ArrayList<>(setup.named());
    if (!setup.greeting().steering()) {
      events.addAll(shown("the model works on it"));
    }
    events.addAll(more);
    return events;
  }

  /**
   * Reports text by paragraphs. The rest is reported with the next tool or at the end of the turn.
   */
  private List<AgentEvent> textEvents(String text) {
    current = current.withText(text);
    String saying = current.saying();
    int end = saying.lastIndexOf("\n\n");
    if (end < 0) {
      return List.of();
    }
    String whole = saying.substring(0, end);
    current = current.withSaying(saying.substring(end + 2));
    return whole.isBlank() ? List.of() : List.of(new AgentEvent.Said(whole.strip()));
  }

  private List<AgentEvent> said() {
    String rest = current.saying().strip();
    current = current.withSaying("");
    return rest.isEmpty() ? List.of() : List.of(new AgentEvent.Said(rest));
  }

  /** Reports a tool. Text before a tool is not part of the final answer. */
  private List<AgentEvent> tool(JsonNode call, boolean asked) {
    List<AgentEvent> read = tools.read(call, asked);
    if (read.isEmpty()) {
      return List.of();
    }
    List<AgentEvent> events = new ArrayList<>(said());
    current = current.withoutAnswer();
    events.addAll(read);
    return events;
  }

  private ProtocolOutput permission(Request request) {
    JsonNode call = request.params().path("toolCall");
    JsonNode choices = request.params().path("options");
    String ask = request.id().ask(options.attempt());
    AcpMemo.Permission choice =
        new AcpMemo.Permission(option(choices, "allow"), option(choices, "reject"));
    List<AgentEvent> events = new ArrayList<>(working(tool(call, true)));
    if (options.allowAll()) {
      return new ProtocolOutput(
          events,
          List.of(
              AcpRequests.permission(
                  ask, Optional.of(choice.allow()).filter(id -> !id.isEmpty()))));
    }
    current = current.withAsk(ask, choice);
    events.add(
        new AgentEvent.Asked(
            ask,
            AskKind.PERMISSION,
            ToolSummary.firstOf(ProtocolJson.text(call, "title")),
            RequestDetail.of(shown(call))));
    return new ProtocolOutput(events, List.of());
  }

  /** Returns the parts of a tool call that a person decides about. */
  private static ObjectNode shown(JsonNode call) {
    ObjectNode shown = ProtocolJson.object();
    for (String field : List.of("rawInput", "content", "locations")) {
      if (call.path(field).isContainer() && !call.path(field).isEmpty()) {
        shown.set(field, call.path(field));
      }
    }
    return shown;
  }

  /** Returns the option for one use if there is one, else the option for all uses. */
  private static String option(JsonNode choices, String kind) {
    return Stream.of("_once", "_always")
        .flatMap(how ->
            choices
                .valueStream()
                .filter(option -> ProtocolJson.text(option, "kind").equals(kind + how))
                .map(option -> ProtocolJson.text(option, "optionId")))
        .findFirst()
        .orElse("");
  }
}
