package dev.midcourse.agents.codex;

import static dev.midcourse.agents.codex.CodexRequests.BARRIER;
import static dev.midcourse.agents.codex.CodexRequests.CLEAN;
import static dev.midcourse.agents.codex.CodexRequests.CONTINUE_TURN;
import static dev.midcourse.agents.codex.CodexRequests.HELLO;
import static dev.midcourse.agents.codex.CodexRequests.PROMPT;
import static dev.midcourse.agents.codex.CodexRequests.SETTINGS;
import static dev.midcourse.agents.codex.CodexRequests.STEER;
import static dev.midcourse.agents.codex.CodexRequests.THREAD;

import dev.midcourse.agents.program.ProgramVersion;
import dev.midcourse.agents.rpc.CallId;
import dev.midcourse.agents.rpc.RpcId;
import dev.midcourse.agents.rpc.RpcMessage;
import dev.midcourse.agents.rpc.RpcProtocol;
import dev.midcourse.agents.rpc.RpcWriter;
import dev.midcourse.agents.stdio.Copies;
import dev.midcourse.agents.stdio.ProtocolJson;
import dev.midcourse.agents.stdio.ProtocolOutput;
import dev.midcourse.core.agent.AgentEvent;
import dev.midcourse.core.agent.AgentEvent.TurnEnd;
import dev.midcourse.core.agent.Usage;
import dev.midcourse.core.id.SessionId;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.run.AskAnswer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The protocol of Codex. Every message has an id that Midcourse assigns. Codex shows the message
 * under this id when the message is in the conversation. This notification is the evidence of
 * injection; the answer to the call is not.
 */
final class CodexProtocol implements RpcProtocol {
  /** The error code of a call that does not fit the state of the turn. */
  private static final int INVALID_REQUEST = -32600;

  private final CodexRequests calls;
  private CodexMemo memo;

  /**
   * The changes of files that are under way, for a request that names only the item. They are not
   * in the memo, because most are large and few are asked for; a request after a restart of the hub
   * says that they are not known.
   */
  private final Map<String, JsonNode> fileChanges = new HashMap<>();

  CodexProtocol(CodexRequests calls, CodexMemo memo) {
    this.calls = calls;
    this.memo = memo;
  }

  @Override
  public String memo() {
    return memo.write();
  }

  private CodexMemo.TurnState turn() {
    return memo.current();
  }

  // ---- writing

  /** Codex refuses a second greeting, and the greeting has no effect. */
  @Override
  public List<String> hello() {
    return List.of(calls.hello());
  }

  @Override
  public List<String> prompt(int turn, String message) {
    return List.of(calls.prompt(memo.thread(), turn, message));
  }

  @Override
  public List<String> steer(SteerId steer, String message) {
    return List.of(calls.steer(memo.thread(), turn().id(), steer, message));
  }

  @Override
  public List<String> interrupt() {
    return List.of(calls.interrupt(memo.thread(), turn().id()));
  }

  @Override
  public List<String> answer(String ask, AskAnswer answer) {
    ObjectNode kept = memo.asks().get(ask);
    return kept == null
        ? List.of()
        : List.of(RpcWriter.BARE.result(RpcId.ofAsk(ask), CodexAsk.answerTo(kept, answer)));
  }

  @Override
  public List<String> barrier(String name) {
    return List.of(calls.barrier(memo.thread(), name));
  }

  // ---- reading

  @Override
  public ProtocolOutput answered(CallId call, JsonNode result) {
    return switch (call.kind()) {
      case HELLO -> {
        memo = memo.withVersion(ProgramVersion.in(ProtocolJson.text(result, "userAgent")).text());
        yield ProtocolOutput.reply(calls.initialized(), calls.afterGreeting());
      }
      case SETTINGS -> ProtocolOutput.reply(calls.thread(hasSandbox(result.path("config"))));
      case THREAD -> ProtocolOutput.of(started(result.path("thread")));
      case PROMPT -> {
        memo = memo.with(turn().asOpening());
        yield ProtocolOutput.of(
            new AgentEvent.PromptAccepted(
                Integer.parseInt(call.about()), "confirmed by Codex (turn/start)"));
      }
      case STEER ->
          ProtocolOutput.of(
              new AgentEvent.SteerAccepted(
                  SteerId.of(call.about()), "confirmed by Codex (turn/steer)"));
      case CLEAN -> ProtocolOutput.of(cleaned());
      default -> ProtocolOutput.NONE;
    };
  }

  @Override
  public ProtocolOutput refused(RpcMessage.Failure failure) {
    String about = failure.call().about();
    String why = failure.message();
    return switch (failure.call().kind()) {
      case SETTINGS -> ProtocolOutput.reply(calls.thread(true));
      case THREAD -> memo.thread().isEmpty() ? ProtocolOutput.fatal(why) : ProtocolOutput.NONE;
      case PROMPT -> ProtocolOutput.of(new AgentEvent.TurnEnded(TurnEnd.ERROR, why, ""));
      case STEER -> ProtocolOutput.of(notTaken(about, failure.code(), why));
      case CONTINUE_TURN -> ProtocolOutput.of(ended());
      case CLEAN -> ProtocolOutput.of(cleaned());
      case BARRIER -> ProtocolOutput.of(new AgentEvent.BarrierPassed(about));
      // A second greeting, or an interrupt of a turn that has just ended.
      default -> ProtocolOutput.NONE;
    };
  }

  private static boolean hasSandbox(JsonNode settings) {
    return settings.hasNonNull("sandbox_mode") || settings.hasNonNull("default_permissions");
  }

  /**
   * The conversation is ready. The thread id is reported with the first turn, because a thread
   * without turns cannot be resumed.
   */
  private List<AgentEvent> started(JsonNode thread) {
    if (!memo.thread().isEmpty()) {
      return List.of();
    }
    memo = memo.withThread(ProtocolJson.text(thread, "id"));
    ProgramVersion version = ProgramVersion.in(memo.version());
    return List.of(
        new AgentEvent.Started(version.text(), CodexVersion.can(version), Optional.empty()));
  }

  /**
   * The turn has just ended, or the turn accepts no steers. The same turn would refuse the steer
   * again, so the steer is returned when the turn is over.
   */
  private List<AgentEvent> notTaken(String steer, int code, String why) {
    if (code != INVALID_REQUEST) {
      return List.of(new AgentEvent.SteerRefused(SteerId.of(steer), why));
    }
    memo = memo.with(turn().withTurnedAway(Copies.with(turn().turnedAway(), steer)));
    return turn().id().isEmpty() && !turn().goingOn() ? returnRejectedSteers() : List.of();
  }

  private List<AgentEvent> returnRejectedSteers() {
    List<AgentEvent> events = new ArrayList<>();
    for (String steer : turn().turnedAway()) {
      String why = "the turn was over or takes no steers";
      events.add(new AgentEvent.SteerNotTaken(SteerId.of(steer), why));
    }
    memo = memo.with(turn().withTurnedAway(List.of()));
    return events;
  }

  @Override
  public ProtocolOutput asked(RpcMessage.Request request) {
    Optional<CodexAsk> ask = CodexAsk.of(request.method());
    if (ask.isEmpty()) {
      return ProtocolOutput.reply(RpcWriter.BARE.notOffered(request));
    }
    String name = request.id().ask(calls.attempt());
    memo = memo.withAsks(Copies.with(memo.asks(), name, ask.get().kept(request)));
    JsonNode changes =
        fileChanges.getOrDefault(
            ProtocolJson.text(request.params(), "itemId"), ProtocolJson.object());
    return ProtocolOutput.of(ask.get().asked(name, request, changes));
  }

  /** Ignores notifications about other threads. */
  @Override
  public ProtocolOutput onNotification(String method, JsonNode params) {
    if (method.equals("serverRequest/resolved")) {
      return ProtocolOutput.of(resolved(params.path("requestId")));
    }
    if (memo.thread().isEmpty() || !ProtocolJson.text(params, "threadId").equals(memo.thread())) {
      return ProtocolOutput.NONE;
    }
    return switch (method) {
      case "turn/started" -> ProtocolOutput.of(begun(params.path("turn")));
      case "item/started" -> ProtocolOutput.of(itemStarted(params.path("item")));
      case "item/completed" -> ProtocolOutput.of(itemCompleted(params.path("item")));
      case "item/commandExecution/outputDelta" ->
          ProtocolOutput.of(CodexEventMapper.output(params));
      case "thread/tokenUsage/updated" -> ProtocolOutput.of(used(params.path("tokenUsage")));
      case "error" ->
          params.path("willRetry").asBoolean()
              ? ProtocolOutput.of(CodexEventMapper.retry(params.path("error")))
              : ProtocolOutput.NONE;
      case "turn/completed" -> completed(params.path("turn"));
      default -> ProtocolOutput.NONE;
    };
  }

  private List<AgentEvent> resolved(JsonNode request) {
    String name = RpcId.of(request).map(id -> id.ask(calls.attempt())).orElse("");
    if (!memo.asks().containsKey(name)) {
      return List.of();
    }
    memo = memo.withAsks(Copies.without(memo.asks(), name));
    return List.of(new AgentEvent.AskClosed(name, "the agent no longer asks for it"));
  }

  // ---- the course of a turn

  private List<AgentEvent> begun(JsonNode turn) {
    List<AgentEvent> events = new ArrayList<>();
    if (!memo.named()) {
      memo = memo.asNamed();
      events.add(new AgentEvent.SessionNamed(SessionId.of(memo.thread())));
    }
    memo = memo.with(turn().withId(ProtocolJson.text(turn, "id")));
    if (turn().goingOn()) {
      memo = memo.with(turn().withGoingOn(false));
      return returnRejectedSteers();
    }
    fileChanges.clear();
    events.add(new AgentEvent.TurnStarted(!turn().opening()));
    memo = memo.with(turn().asBegun());
    return events;
  }

  private List<AgentEvent> itemStarted(JsonNode item) {
    String type = ProtocolJson.text(item, "type");
    if (!type.equals("userMessage")) {
      memo = memo.with(turn().withUnanswered(false));
    }
    if (type.equals("fileChange")) {
      fileChanges.put(ProtocolJson.text(item, "id"), item.path("changes"));
    }
    return switch (type) {
      case "userMessage" -> shown(ProtocolJson.text(item, "clientId"));
      case "contextCompaction" -> List.of(new AgentEvent.Waiting("compacting its context"));
      default -> CodexEventMapper.started(item);
    };
  }

  /** A message with this id is in the conversation. */
  private List<AgentEvent> shown(String id) {
    String evidence = "shown by Codex (item/started)";
    OptionalInt turn = openedBy(id);
    if (turn.isPresent()) {
      return List.of(new AgentEvent.PromptInjected(turn.getAsInt(), evidence));
    }
    if (id.isEmpty() || id.equals(CONTINUE_TURN)) {
      return List.of();
    }
    memo = memo.with(turn().withUnanswered(true));
    return List.of(new AgentEvent.SteerInjected(SteerId.of(id), evidence));
  }

  private static OptionalInt openedBy(String id) {
    String prefix = PROMPT + ":";
    return id.startsWith(prefix)
        ? OptionalInt.of(Integer.parseInt(id.substring(prefix.length())))
        : OptionalInt.empty();
  }

  private List<AgentEvent> itemCompleted(JsonNode item) {
    fileChanges.remove(ProtocolJson.text(item, "id"));
    if (!ProtocolJson.text(item, "type").equals("agentMessage")) {
      return CodexEventMapper.finished(item);
    }
    memo = memo.with(turn().withUnanswered(false));
    String text = ProtocolJson.text(item, "text");
    if (text.isBlank()) {
      return List.of();
    }
    memo = memo.with(turn().withAnswer(text));
    return List.of(new AgentEvent.Said(text));
  }

  /**
   * Reports the usage since the last report. Codex counts from the start of the thread, over all
   * its processes.
   */
  private List<AgentEvent> used(JsonNode usage) {
    Usage total = CodexEventMapper.spent(usage.path("total"));
    Usage last = CodexEventMapper.spent(usage.path("last"));
    Usage more =
        memo.counted() ? less(total, memo.total()) : turn().id().isEmpty() ? Usage.NOTHING : last;
    memo = memo.withTotal(total);
    return more.equals(Usage.NOTHING) ? List.of() : List.of(new AgentEvent.Used(more));
  }

  private static Usage less(Usage now, Usage before) {
    return new Usage(
        Math.max(0, now.inputTokens() - before.inputTokens()),
        Math.max(0, now.outputTokens() - before.outputTokens()),
        0);
  }

  /**
   * An interrupted turn leaves its commands running, so its end is reported after they are ended. A
   * turn can complete with a steer that the model has not answered, because Codex puts a late steer
   * into the conversation without calling the model. Then a further turn is requested.
   */
  private ProtocolOutput completed(JsonNode turn) {
    memo = memo.with(turn().withId(""));
    List<AgentEvent> events = returnRejectedSteers();
    String error = ProtocolJson.text(turn.path("error"), "message");
    return switch (ProtocolJson.text(turn, "status")) {
      case "completed" -> {
        if (turn().unanswered()) {
          memo = memo.with(turn().withUnanswered(false).withGoingOn(true));
          yield new ProtocolOutput(events, List.of(calls.continueTurn(memo.thread())));
        }
        events.addAll(ended());
        yield ProtocolOutput.of(events);
      }
      case "interrupted" -> {
        memo = memo.with(turn().withCleaning(true));
        yield new ProtocolOutput(events, List.of(calls.clean(memo.thread())));
      }
      default -> {
        events.add(new AgentEvent.TurnEnded(TurnEnd.ERROR, error.isEmpty() ? "failed" : error, ""));
        yield ProtocolOutput.of(events);
      }
    };
  }

  private List<AgentEvent> ended() {
    memo = memo.with(turn().withGoingOn(false));
    List<AgentEvent> events = returnRejectedSteers();
    events.add(new AgentEvent.TurnEnded(TurnEnd.COMPLETED, "completed", turn().answer()));
    return events;
  }

  private List<AgentEvent> cleaned() {
    if (!turn().cleaning()) {
      return List.of();
    }
    memo = memo.with(turn().withCleaning(false));
    return List.of(new AgentEvent.TurnEnded(TurnEnd.INTERRUPTED, "interrupted", turn().answer()));
  }
}
