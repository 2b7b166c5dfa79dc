package dev.midcourse.agents.pi;

import dev.midcourse.agents.stdio.Json;
import dev.midcourse.agents.stdio.Protocol;
import dev.midcourse.agents.stdio.Reaction;
import dev.midcourse.core.agent.AgentEvent;
import dev.midcourse.core.agent.AgentEvent.TurnEnd;
import dev.midcourse.core.id.SessionId;
import dev.midcourse.core.id.SteerId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * The words of pi. It gives messages no ids, so a steer is known again by the first words of its
 * frame, and the opening of a turn by being what is shown next. It never asks a question. A signal
 * ends it at once, together with its tools, so there is no goodbye.
 */
final class PiProtocol implements Protocol {
  private static final String HELLO = "hello";
  private static final String PROMPT = "prompt:";
  private static final String STEER = "steer:";
  private static final String WITHDRAW = "withdraw:";
  private static final String CLEAR = "clear";
  private static final String EMPTY = "empty";
  private static final String BARRIER = "barrier:";
  private static final String BARRIER_AGAIN = "barrier-again:";

  private final PiMemo memo;

  PiProtocol(PiMemo memo) {
    this.memo = memo;
  }

  @Override
  public String memo() {
    return memo.write();
  }

  // ---- writing

  @Override
  public List<String> hello() {
    return List.of(PiLines.takeAllSteersAtOnce("mode"), PiLines.command(HELLO, "get_state"));
  }

  @Override
  public List<String> prompt(int turn, String message) {
    return List.of(PiLines.prompt(PROMPT + turn, message));
  }

  @Override
  public List<String> steer(SteerId steer, String message) {
    return List.of(PiLines.prompt(STEER + steer, message));
  }

  /** What it holds it gives back first: it would put it into the dying turn, unanswered. */
  @Override
  public List<String> interrupt() {
    String abort = PiLines.command("interrupt", "abort");
    return PiVersion.givesBack(memo.version)
        ? List.of(PiLines.command(CLEAR, "clear_queue"), abort)
        : List.of(abort);
  }

  /** It can only give back everything; what was not asked for is ours again too. */
  @Override
  public List<String> withdraw(SteerId steer) {
    return PiVersion.givesBack(memo.version)
        ? List.of(PiLines.command(WITHDRAW + steer, "clear_queue"))
        : List.of();
  }

  /**
   * Its state, twice: it reads its input in order but begins a prompt a moment later, so the first
   * answer may come before a prompt that was read has shown itself.
   */
  @Override
  public List<String> barrier(String name) {
    return List.of(PiLines.command(BARRIER + name, "get_state"));
  }

  // ---- reading

  @Override
  public Reaction read(String message) {
    return Json.object(message).map(this::react).orElseGet(() -> Reaction.garbage(message));
  }

  private Reaction react(JsonNode line) {
    return switch (Json.text(line, "type")) {
      case "response" -> response(Json.text(line, "id"), line);
      case "agent_start" -> Reaction.of(begun());
      case "message_start" -> Reaction.of(shown(line.path("message")));
      case "message_end" -> Reaction.of(ended(line.path("message")));
      case "tool_execution_start" -> Reaction.of(PiTalk.toolStarted(line));
      case "tool_execution_update" -> Reaction.of(PiTalk.toolOutput(line));
      case "tool_execution_end" -> Reaction.of(PiTalk.toolFinished(line));
      case "queue_update" -> {
        memo.queued = !line.path("steering").isEmpty() || !line.path("followUp").isEmpty();
        yield Reaction.NONE;
      }
      case "auto_retry_start" -> Reaction.of(new AgentEvent.Waiting(PiTalk.retry(line)));
      case "compaction_start" -> Reaction.of(new AgentEvent.Waiting("it compacts its context"));
      case "compaction_end" -> compacted();
      case "agent_end" ->
          PiVersion.givesBack(memo.version) || line.path("willRetry").asBoolean()
              ? Reaction.NONE
              : settled(line);
      case "agent_settled" -> settled(line);
      case "extension_ui_request" -> dialog(line);
      default -> Reaction.NONE;
    };
  }

  private Reaction response(String id, JsonNode line) {
    boolean success = line.path("success").asBoolean();
    JsonNode data = line.path("data");
    if (id.equals(HELLO)) {
      return Reaction.of(started(data));
    }
    if (id.startsWith(PROMPT)) {
      int turn = Integer.parseInt(id.substring(PROMPT.length()));
      return Reaction.of(success ? accepted(turn) : refused(line));
    }
    if (id.startsWith(STEER)) {
      return Reaction.of(
          steerTaken(id.substring(STEER.length()), success, Json.text(line, "error")));
    }
    if (id.equals(CLEAR)) {
      memo.interrupted = true;
      return Reaction.of(givenBack(Optional.empty(), data));
    }
    if (id.equals(EMPTY)) {
      return Reaction.of(givenBack(Optional.empty(), data));
    }
    if (id.startsWith(WITHDRAW)) {
      return Reaction.of(givenBack(Optional.of(id.substring(WITHDRAW.length())), data));
    }
    if (id.startsWith(BARRIER)) {
      return ask(id.substring(BARRIER.length()));
    }
    if (id.startsWith(BARRIER_AGAIN)) {
      return passed(id.substring(BARRIER_AGAIN.length()), data);
    }
    return Reaction.NONE;
  }

  private List<AgentEvent> started(JsonNode state) {
    if (!memo.session.isEmpty()) {
      return List.of();
    }
    memo.session = Json.text(state, "sessionId");
    return List.of(
        new AgentEvent.Started(memo.version.text(), PiVersion.can(memo.version), Optional.empty()));
  }

  private AgentEvent accepted(int turn) {
    memo.opening = turn;
    return new AgentEvent.PromptAccepted(turn, "response to prompt");
  }

  /** A prompt that it will not have, for want of a model or a key, is a turn that failed. */
  private static AgentEvent refused(JsonNode line) {
    return new AgentEvent.TurnEnded(TurnEnd.ERROR, Json.text(line, "error"), "");
  }

  /** While it compacts it turns steers away; they are offered again when that is over. */
  private List<AgentEvent> steerTaken(String steer, boolean success, String error) {
    if (success) {
      memo.held.add(steer);
      return List.of(new AgentEvent.SteerAccepted(SteerId.of(steer), "response to prompt"));
    }
    if (error.contains("compaction")) {
      memo.turnedAway.add(steer);
      return List.of();
    }
    return List.of(new AgentEvent.SteerRefused(SteerId.of(steer), error));
  }

  private List<AgentEvent> givenBack(Optional<String> wanted, JsonNode queue) {
    List<AgentEvent> events = new ArrayList<>();
    boolean found = false;
    for (JsonNode text : queue.path("steering")) {
      Optional<SteerId> steer = PiLines.steerIn(text.asString(""));
      if (steer.isEmpty()) {
        continue;
      }
      memo.held.remove(steer.get().value());
      if (wanted.equals(steer.map(SteerId::value))) {
        found = true;
      } else {
        events.add(new AgentEvent.SteerNotTaken(steer.get(), "the agent's queue was emptied"));
      }
    }
    boolean given = found;
    wanted.ifPresent(id -> events.add(new AgentEvent.SteerGivenBack(SteerId.of(id), given)));
    return events;
  }

  private static Reaction ask(String barrier) {
    return Reaction.reply(PiLines.command(BARRIER_AGAIN + barrier, "get_state"));
  }

  private Reaction passed(String barrier, JsonNode state) {
    if (state.path("isCompacting").asBoolean()) {
      memo.barrier = barrier;
      return Reaction.NONE;
    }
    return Reaction.of(new AgentEvent.BarrierPassed(barrier));
  }

  private Reaction compacted() {
    List<String> replies = memo.barrier.isEmpty() ? List.of() : ask(memo.barrier).replies();
    memo.barrier = "";
    return new Reaction(takeBackTurnedAway(), replies);
  }

  private List<AgentEvent> takeBackTurnedAway() {
    List<AgentEvent> events = new ArrayList<>();
    for (String steer : memo.turnedAway) {
      events.add(new AgentEvent.SteerNotTaken(SteerId.of(steer), "the agent was compacting"));
    }
    memo.turnedAway.clear();
    return events;
  }

  // ---- the course of a turn

  private List<AgentEvent> begun() {
    if (memo.working) {
      return List.of();
    }
    memo.working = true;
    memo.interrupted = false;
    memo.stopped = "";
    memo.error = "";
    memo.answer = "";
    return List.of(new AgentEvent.TurnStarted(memo.opening == 0));
  }

  /** A message of ours in the conversation. */
  private List<AgentEvent> shown(JsonNode message) {
    if (!Json.text(message, "role").equals("user")) {
      return List.of();
    }
    String evidence = "message_start";
    Optional<SteerId> steer = PiLines.steerIn(PiTalk.text(message.path("content")));
    boolean isSteer = steer.isPresent() && memo.held.remove(steer.get().value());
    if (!isSteer && memo.opening != 0) {
      int turn = memo.opening;
      memo.opening = 0;
      return List.of(new AgentEvent.PromptInjected(turn, evidence));
    }
    return steer
        .<List<AgentEvent>>map(id -> List.of(new AgentEvent.SteerInjected(id, evidence)))
        .orElse(List.of());
  }

  private List<AgentEvent> ended(JsonNode message) {
    if (!Json.text(message, "role").equals("assistant")) {
      return List.of();
    }
    memo.stopped = Json.text(message, "stopReason");
    memo.error = Json.text(message, "errorMessage");
    List<AgentEvent> events = new ArrayList<>();
    if (!memo.named && !memo.session.isEmpty()) {
      memo.named = true;
      events.add(new AgentEvent.SessionNamed(SessionId.of(memo.session)));
    }
    String text = PiTalk.text(message.path("content"));
    if (!text.isBlank()) {
      memo.answer = text;
      events.add(new AgentEvent.Said(text));
    }
    PiTalk.used(message.path("usage")).ifPresent(events::add);
    return events;
  }

  /** What is still in its queue would be shown with the next prompt, so it is asked for. */
  private Reaction settled(JsonNode line) {
    List<AgentEvent> events = takeBackTurnedAway();
    if (memo.working) {
      events.add(end(line.path("aborted").asBoolean()));
    }
    memo.working = false;
    memo.answer = "";
    boolean empties = memo.queued && PiVersion.givesBack(memo.version);
    return new Reaction(
        events, empties ? List.of(PiLines.command(EMPTY, "clear_queue")) : List.of());
  }

  private AgentEvent end(boolean aborted) {
    if (aborted || memo.interrupted || memo.stopped.equals("aborted")) {
      return new AgentEvent.TurnEnded(TurnEnd.INTERRUPTED, "aborted", memo.answer);
    }
    return memo.stopped.equals("stop")
        ? new AgentEvent.TurnEnded(TurnEnd.COMPLETED, memo.stopped, memo.answer)
        : new AgentEvent.TurnEnded(
            TurnEnd.ERROR, memo.error.isEmpty() ? memo.stopped : memo.error, "");
  }

  /** A dialog of an extension, which nobody sees: some wait for an answer. */
  private static Reaction dialog(JsonNode line) {
    return switch (Json.text(line, "method")) {
      case "select", "confirm", "input", "editor" ->
          Reaction.reply(PiLines.cancelDialog(Json.text(line, "id")));
      default -> Reaction.NONE;
    };
  }
}
