package dev.midcourse.agents.pi;

import dev.midcourse.agents.program.ProgramVersion;
import dev.midcourse.agents.stdio.Copies;
import dev.midcourse.agents.stdio.Protocol;
import dev.midcourse.agents.stdio.ProtocolJson;
import dev.midcourse.agents.stdio.ProtocolOutput;
import dev.midcourse.core.agent.AgentEvent;
import dev.midcourse.core.agent.AgentEvent.TurnEnd;
import dev.midcourse.core.id.SessionId;
import dev.midcourse.core.id.SteerId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * The protocol of pi. pi gives messages no ids, so a steer is recognized by the start of its frame,
 * and the opening of a turn as the next message that pi shows. pi never asks a question. A signal
 * ends pi and its tools at once, so there is no exit message.
 */
final class PiProtocol implements Protocol {
  private static final String HELLO = "hello";
  private static final String PROMPT = "prompt:";
  private static final String STEER = "steer:";
  private static final String WITHDRAW = "withdraw:";
  private static final String CLEAR = "clear";
  private static final String EMPTY = "empty";
  private static final String BARRIER = "barrier:";
  private static final String SECOND_BARRIER = "barrier-again:";

  private PiMemo memo;

  PiProtocol(PiMemo memo) {
    this.memo = memo;
  }

  @Override
  public String memo() {
    return memo.write();
  }

  private PiMemo.TurnState turn() {
    return memo.current();
  }

  private PiMemo.Queue queue() {
    return memo.queue();
  }

  // ---- writing

  @Override
  public List<String> hello() {
    return List.of(PiMessages.takeAllSteersAtOnce("mode"), PiMessages.command(HELLO, "get_state"));
  }

  @Override
  public List<String> prompt(int turn, String message) {
    return List.of(PiMessages.prompt(PROMPT + turn, message));
  }

  @Override
  public List<String> steer(SteerId steer, String message) {
    return List.of(PiMessages.prompt(STEER + steer, message));
  }

  /**
   * Empties the queue first, because pi would put the queued steers into the interrupted turn
   * without an answer.
   */
  @Override
  public List<String> interrupt() {
    String abort = PiMessages.command("interrupt", "abort");
    return PiVersion.givesBack(memo.number())
        ? List.of(PiMessages.command(CLEAR, "clear_queue"), abort)
        : List.of(abort);
  }

  /**
   * Empties the whole queue, because pi cannot return a single steer. The other steers are reported
   * as not taken.
   */
  @Override
  public List<String> withdraw(SteerId steer) {
    return PiVersion.givesBack(memo.number())
        ? List.of(PiMessages.command(WITHDRAW + steer, "clear_queue"))
        : List.of();
  }

  /**
   * Asks for the state twice. pi reads its input in order but begins a prompt a moment later, so
   * the first answer can come before a prompt that pi has read is shown.
   */
  @Override
  public List<String> barrier(String name) {
    return List.of(PiMessages.command(BARRIER + name, "get_state"));
  }

  // ---- reading

  @Override
  public ProtocolOutput read(String message) {
    return ProtocolJson.object(message)
        .map(this::react)
        .orElseGet(() -> ProtocolOutput.garbage(message));
  }

  private ProtocolOutput react(JsonNode line) {
    return switch (ProtocolJson.text(line, "type")) {
      case "response" -> response(ProtocolJson.text(line, "id"), line);
      case "agent_start" -> ProtocolOutput.of(begun());
      case "message_start" -> ProtocolOutput.of(shown(line.path("message")));
      case "message_end" -> ProtocolOutput.of(ended(line.path("message")));
      case "tool_execution_start" -> ProtocolOutput.of(PiEventMapper.toolStarted(line));
      case "tool_execution_update" -> ProtocolOutput.of(PiEventMapper.toolOutput(line));
      case "tool_execution_end" -> ProtocolOutput.of(PiEventMapper.toolFinished(line));
      case "queue_update" -> {
        boolean some = !line.path("steering").isEmpty() || !line.path("followUp").isEmpty();
        memo = memo.with(queue().withQueued(some));
        yield ProtocolOutput.NONE;
      }
      case "auto_retry_start" ->
          ProtocolOutput.of(new AgentEvent.Waiting(PiEventMapper.retry(line)));
      case "compaction_start" ->
          ProtocolOutput.of(new AgentEvent.Waiting("compacting its context"));
      case "compaction_end" -> compacted();
      case "agent_end" ->
          PiVersion.givesBack(memo.number()) || line.path("willRetry").asBoolean()
              ? ProtocolOutput.NONE
              : settled(line);
      case "agent_settled" -> settled(line);
      case "extension_ui_request" -> dialog(line);
      default -> ProtocolOutput.NONE;
    };
  }

  private ProtocolOutput response(String id, JsonNode line) {
    boolean success = line.path("success").asBoolean();
    JsonNode data = line.path("data");
    if (id.equals(HELLO)) {
      return ProtocolOutput.of(started(data));
    }
    if (id.startsWith(PROMPT)) {
      int turn = Integer.parseInt(id.substring(PROMPT.length()));
      return ProtocolOutput.of(success ? accepted(turn) : refused(line));
    }
    if (id.startsWith(STEER)) {
      return ProtocolOutput.of(
          steerTaken(id.substring(STEER.length()), success, ProtocolJson.text(line, "error")));
    }
    if (id.equals(CLEAR)) {
      memo = memo.with(turn().asInterrupted());
      return ProtocolOutput.of(givenBack(Optional.empty(), data));
    }
    if (id.equals(EMPTY)) {
      return ProtocolOutput.of(givenBack(Optional.empty(), data));
    }
    if (id.startsWith(WITHDRAW)) {
      return ProtocolOutput.of(givenBack(Optional.of(id.substring(WITHDRAW.length())), data));
    }
    if (id.startsWith(BARRIER)) {
      return ask(id.substring(BARRIER.length()));
    }
    if (id.startsWith(SECOND_BARRIER)) {
      return barrierPassed(id.substring(SECOND_BARRIER.length()), data);
    }
    return ProtocolOutput.NONE;
  }

  private List<AgentEvent> started(JsonNode state) {
    if (!memo.session().isEmpty()) {
      return List.of();
    }
    memo = memo.withSession(ProtocolJson.text(state, "sessionId"));
    ProgramVersion version = memo.number();
    return List.of(
        new AgentEvent.Started(version.text(), PiVersion.can(version), Optional.empty()));
  }

  private AgentEvent accepted(int turn) {
    memo = memo.with(turn().withOpening(turn));
    return new AgentEvent.PromptAccepted(turn, "confirmed by Pi (prompt)");
  }

  /** pi refuses a prompt if a model or a key is missing; the turn has then failed. */
  private static AgentEvent refused(JsonNode line) {
    return new AgentEvent.TurnEnded(TurnEnd.ERROR, ProtocolJson.text(line, "error"), "");
  }

  /**
   * pi refuses steers while it compacts its context; they are returned when the compaction has
   * ended.
   */
  private List<AgentEvent> steerTaken(String steer, boolean success, String error) {
    if (success) {
      memo = memo.with(queue().withHeld(Copies.with(queue().held(), steer)));
      return List.of(new AgentEvent.SteerAccepted(SteerId.of(steer), "confirmed by Pi (prompt)"));
    }
    if (error.contains("compaction")) {
      memo = memo.with(queue().withTurnedAway(Copies.with(queue().turnedAway(), steer)));
      return List.of();
    }
    return List.of(new AgentEvent.SteerRefused(SteerId.of(steer), error));
  }

  private List<AgentEvent> givenBack(Optional<String> wanted, JsonNode queue) {
    List<AgentEvent> events = new ArrayList<>();
    boolean found = false;
    for (JsonNode text : queue.path("steering")) {
      Optional<SteerId> steer = PiMessages.steerIn(text.asString(""));
      if (steer.isEmpty()) {
        continue;
      }
      release(steer.get());
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

  private static ProtocolOutput ask(String barrier) {
    return ProtocolOutput.reply(PiMessages.command(SECOND_BARRIER + barrier, "get_state"));
  }

  private ProtocolOutput barrierPassed(String barrier, JsonNode state) {
    if (state.path("isCompacting").asBoolean()) {
      memo = memo.with(queue().withBarrier(barrier));
      return ProtocolOutput.NONE;
    }
    return ProtocolOutput.of(new AgentEvent.BarrierPassed(barrier));
  }

  private ProtocolOutput compacted() {
    String barrier = queue().barrier();
    List<String> replies = barrier.isEmpty() ? List.of() : ask(barrier).replies();
    memo = memo.with(queue().withBarrier(""));
    return new ProtocolOutput(returnRejectedSteers(), replies);
  }

  private List<AgentEvent> returnRejectedSteers() {
    List<AgentEvent> events = new ArrayList<>();
    for (String steer : queue().turnedAway()) {
      events.add(new AgentEvent.SteerNotTaken(SteerId.of(steer), "the agent was compacting"));
    }
    memo = memo.with(queue().withTurnedAway(List.of()));
    return events;
  }

  // ---- the course of a turn

  private List<AgentEvent> begun() {
    if (turn().working()) {
      return List.of();
    }
    memo = memo.with(turn().asBegun());
    return List.of(new AgentEvent.TurnStarted(turn().opening() == 0));
  }

  /** A message is in the conversation. */
  private List<AgentEvent> shown(JsonNode message) {
    if (!ProtocolJson.text(message, "role").equals("user")) {
      return List.of();
    }
    String evidence = "message_start";
    Optional<SteerId> steer = PiMessages.steerIn(PiEventMapper.text(message.path("content")));
    boolean isSteer = steer.isPresent() && release(steer.get());
    if (!isSteer && turn().opening() != 0) {
      int turn = turn().opening();
      memo = memo.with(turn().withOpening(0));
      return List.of(new AgentEvent.PromptInjected(turn, evidence));
    }
    return steer
        .<List<AgentEvent>>map(id -> List.of(new AgentEvent.SteerInjected(id, evidence)))
        .orElse(List.of());
  }

  /** Removes the steer from those that pi holds. Returns whether pi held it. */
  private boolean release(SteerId steer) {
    boolean held = queue().held().contains(steer.value());
    memo = memo.with(queue().withHeld(Copies.without(queue().held(), steer.value())));
    return held;
  }

  private List<AgentEvent> ended(JsonNode message) {
    if (!ProtocolJson.text(message, "role").equals("assistant")) {
      return List.of();
    }
    memo =
        memo.with(
            turn()
                .withStop(
                    ProtocolJson.text(message, "stopReason"),
                    ProtocolJson.text(message, "errorMessage")));
    List<AgentEvent> events = new ArrayList<>();
    if (!memo.named() && !memo.session().isEmpty()) {
      memo = memo.asNamed();
      events.add(new AgentEvent.SessionNamed(SessionId.of(memo.session())));
    }
    String text = PiEventMapper.text(message.path("content"));
    if (!text.isBlank()) {
      memo = memo.with(turn().withAnswer(text));
      events.add(new AgentEvent.Said(text));
    }
    PiEventMapper.used(message.path("usage")).ifPresent(events::add);
    return events;
  }

  /**
   * Reports the end of the turn. Empties the queue, because pi would show queued steers with the
   * next prompt.
   */
  private ProtocolOutput settled(JsonNode line) {
    List<AgentEvent> events = returnRejectedSteers();
    if (turn().working()) {
      events.add(end(line.path("aborted").asBoolean()));
    }
    memo = memo.with(turn().asSettled());
    boolean empties = queue().queued() && PiVersion.givesBack(memo.number());
    return new ProtocolOutput(
        events, empties ? List.of(PiMessages.command(EMPTY, "clear_queue")) : List.of());
  }

  private AgentEvent end(boolean aborted) {
    String stopped = turn().stopped();
    String error = turn().error();
    if (aborted || turn().interrupted() || stopped.equals("aborted")) {
      return new AgentEvent.TurnEnded(TurnEnd.INTERRUPTED, "aborted", turn().answer());
    }
    return stopped.equals("stop")
        ? new AgentEvent.TurnEnded(TurnEnd.COMPLETED, stopped, turn().answer())
        : new AgentEvent.TurnEnded(TurnEnd.ERROR, error.isEmpty() ? stopped : error, "");
  }

  /** Cancels a dialog of an extension that waits for an answer, because no person sees it. */
  private static ProtocolOutput dialog(JsonNode line) {
    return switch (ProtocolJson.text(line, "method")) {
      case "select", "confirm", "input", "editor" ->
          ProtocolOutput.reply(PiMessages.cancelDialog(ProtocolJson.text(line, "id")));
      default -> ProtocolOutput.NONE;
    };
  }
}
