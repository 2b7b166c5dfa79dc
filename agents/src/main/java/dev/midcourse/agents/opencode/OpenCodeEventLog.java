package dev.midcourse.agents.opencode;

import dev.midcourse.agents.program.ProgramVersion;
import dev.midcourse.agents.stdio.ProtocolJson;
import dev.midcourse.agents.stdio.ProtocolOutput;
import dev.midcourse.agents.stdio.RequestDetail;
import dev.midcourse.agents.stdio.ToolSummary;
import dev.midcourse.core.agent.AgentEvent;
import dev.midcourse.core.agent.AgentEvent.AskKind;
import dev.midcourse.core.agent.AgentEvent.TurnEnd;
import dev.midcourse.core.agent.Usage;
import dev.midcourse.core.id.SessionId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Turns the log of an OpenCode session into events, as a pure codec: no I/O, no clock, and the same
 * entries always give the same events. The log does not contain the end of a turn; the caller
 * reports it with {@link #idle} when the session is idle.
 */
final class OpenCodeEventLog {
  private static final String PREFIX = "session.next.";

  private final OpenCodeIds ids;
  private OpenCodeMemo memo;

  OpenCodeEventLog(OpenCodeIds ids, OpenCodeMemo memo) {
    this.ids = ids;
    this.memo = memo;
  }

  String memo() {
    return memo.write();
  }

  private OpenCodeMemo.TurnState turn() {
    return memo.current();
  }

  boolean isStarted() {
    return memo.started();
  }

  boolean isWorking() {
    return turn().working();
  }

  /** Whether the entry that was read last can be the last entry of the turn. */
  boolean mayBeOver() {
    String finish = turn().finish();
    boolean stopped = !turn().stepping() && !finish.isEmpty() && !finish.equals("tool-calls");
    return stopped || turn().interrupted() || !turn().error().isEmpty();
  }

  /**
   * The server and the session are ready. {@code before} is the earlier log of a resumed session: a
   * message that an earlier process prompted is in the conversation, and a message that it only
   * admitted is still held.
   */
  List<AgentEvent> started(String version, List<JsonNode> before) {
    memo = memo.asStarted();
    ProgramVersion which = ProgramVersion.in(version);
    List<AgentEvent> events = new ArrayList<>();
    events.add(new AgentEvent.Started(which.text(), OpenCodeVersion.can(which), Optional.empty()));
    Set<String> shown = new TreeSet<>();
    for (JsonNode entry : before) {
      String message = ProtocolJson.text(entry.path("data"), "messageID");
      switch (type(entry)) {
        case "prompt.admitted" -> memo = memo.withHeld(message);
        case "prompted" -> shown.add(message);
        default -> {}
      }
    }
    String had = "in the log of the session when it was resumed";
    for (String message : shown) {
      memo = memo.withoutHeld(message);
      ids.steerOf(message).ifPresent(it -> events.add(new AgentEvent.SteerInjected(it, had)));
    }
    for (String message : memo.held()) {
      ids.steerOf(message).ifPresent(it -> events.add(new AgentEvent.SteerAccepted(it, had)));
    }
    return events;
  }

  private static String type(JsonNode entry) {
    String type = ProtocolJson.text(entry, "type");
    return type.startsWith(PREFIX) ? type.substring(PREFIX.length()) : type;
  }

  /** Reads the next entry. A malformed entry is reported as garbage. */
  List<AgentEvent> read(JsonNode entry) {
    try {
      return understood(entry);
    } catch (RuntimeException notUnderstood) {
      return ProtocolOutput.garbage(entry.toString()).events();
    }
  }

  /** Ignores unknown kinds of entries. */
  private List<AgentEvent> understood(JsonNode entry) {
    JsonNode data = entry.path("data");
    return switch (type(entry)) {
      case "prompt.admitted" -> admitted(ProtocolJson.text(data, "messageID"));
      case "prompted" -> prompted(ProtocolJson.text(data, "messageID"));
      case "step.started" -> {
        List<AgentEvent> events = new ArrayList<>();
        begin(true, events);
        memo = memo.with(turn().asStepping());
        yield events;
      }
      case "text.ended" -> said(ProtocolJson.text(data, "text"));
      case "tool.called" ->
          List.of(
              new AgentEvent.ToolStarted(
                  ProtocolJson.text(data, "callID"),
                  ProtocolJson.text(data, "tool"),
                  ToolSummary.of(data.path("input")),
                  Optional.empty()));
      case "tool.progress" ->
          List.of(new AgentEvent.ToolOutput(ProtocolJson.text(data, "callID"), output(data)));
      case "tool.success" -> List.of(finished(data, output(data), true));
      case "tool.failed" ->
          List.of(finished(data, ProtocolJson.text(data.path("error"), "message"), false));
      case "step.ended" -> {
        memo = memo.with(turn().withFinish(ProtocolJson.text(data, "finish")));
        yield used(data);
      }
      case "step.failed" -> {
        String message = ProtocolJson.text(data.path("error"), "message");
        memo = memo.with(turn().withError(message.isEmpty() ? "the step failed" : message));
        yield List.of();
      }
      case "retried" ->
          List.of(
              new AgentEvent.Waiting(
                  ToolSummary.first(ProtocolJson.text(data.path("error"), "message"))));
      case "compaction.started" -> List.of(new AgentEvent.Waiting("compacting its context"));
      default -> List.of();
    };
  }

  private List<AgentEvent> admitted(String message) {
    memo = memo.withHeld(message);
    String evidence = "session.next.prompt.admitted";
    OptionalInt turn = ids.turnOf(message);
    if (turn.isPresent()) {
      return List.of(new AgentEvent.PromptAccepted(turn.getAsInt(), evidence));
    }
    return ids.steerOf(message)
        .<List<AgentEvent>>map(steer -> List.of(new AgentEvent.SteerAccepted(steer, evidence)))
        .orElse(List.of());
  }

  private List<AgentEvent> prompted(String message) {
    memo = memo.withoutHeld(message);
    String evidence = "session.next.prompted";
    List<AgentEvent> events = new ArrayList<>();
    if (!memo.named()) {
      memo = memo.asNamed();
      events.add(new AgentEvent.SessionNamed(SessionId.of(ids.session())));
    }
    OptionalInt turn = ids.turnOf(message);
    begin(turn.isEmpty(), events);
    if (turn.isPresent()) {
      events.add(new AgentEvent.PromptInjected(turn.getAsInt(), evidence));
    }
    ids.steerOf(message).ifPresent(it -> events.add(new AgentEvent.SteerInjected(it, evidence)));
    return events;
  }

  private void begin(boolean byItself, List<AgentEvent> events) {
    if (turn().working()) {
      return;
    }
    memo = memo.with(turn().asBegun());
    events.add(new AgentEvent.TurnStarted(byItself));
  }

  private List<AgentEvent> said(String text) {
    if (text.isBlank()) {
      return List.of();
    }
    memo = memo.with(turn().withAnswer(text));
    return List.of(new AgentEvent.Said(text));
  }

  private static String output(JsonNode data) {
    return ToolSummary.first(
        data.path("content")
            .valueStream()
            .map(part -> ProtocolJson.text(part, "text"))
            .collect(Collectors.joining("\n")));
  }

  private static AgentEvent finished(JsonNode data, String words, boolean ok) {
    return new AgentEvent.ToolFinished(
        ProtocolJson.text(data, "callID"), ok, ToolSummary.first(words));
  }

  private static List<AgentEvent> used(JsonNode data) {
    JsonNode tokens = data.path("tokens");
    JsonNode cache = tokens.path("cache");
    Usage spent =
        new Usage(
            tokens.path("input").asLong()
                + cache.path("read").asLong()
                + cache.path("write").asLong(),
            tokens.path("output").asLong() + tokens.path("reasoning").asLong(),
            Math.round(data.path("cost").asDouble() * 1_000_000));
    return spent.equals(Usage.NOTHING) ? List.of() : List.of(new AgentEvent.Used(spent));
  }

  // ---- state that is not in the log

  void interrupted() {
    memo = memo.with(turn().withInterrupted(turn().working()));
  }

  /**
   * The session is idle and its log has no new entry, so the turn is over. A step that never ended,
   * or that called tools and was not followed by another step, was interrupted.
   */
  List<AgentEvent> idle() {
    if (!turn().working()) {
      return List.of();
    }
    memo = memo.asSettled();
    String finish = turn().finish();
    String error = turn().error();
    boolean brokenOff = turn().stepping() || finish.equals("tool-calls");
    if (turn().interrupted() || (brokenOff && error.isEmpty())) {
      return List.of(new AgentEvent.TurnEnded(TurnEnd.INTERRUPTED, "interrupted", turn().answer()));
    }
    if (error.isEmpty() && !finish.isEmpty()) {
      return List.of(new AgentEvent.TurnEnded(TurnEnd.COMPLETED, finish, turn().answer()));
    }
    String why = error.isEmpty() ? "it stopped before it asked the model" : error;
    return List.of(new AgentEvent.TurnEnded(TurnEnd.ERROR, why, ""));
  }

  /** Returns a held message that an idle OpenCode does not use; empty if there is none. */
  Optional<String> left() {
    return memo.settled() && !turn().working()
        ? memo.held().stream().findFirst()
        : Optional.empty();
  }

  /**
   * Takes the permission requests that are open now. Reports the new ones, and closes those that
   * are gone.
   */
  List<AgentEvent> waitsFor(JsonNode requests) {
    List<AgentEvent> events = new ArrayList<>();
    SortedSet<String> open = new TreeSet<>();
    for (JsonNode request : requests) {
      String ask = ProtocolJson.text(request, "id");
      boolean first = open.add(ask);
      if (first && !memo.asks().contains(ask)) {
        String what =
            request
                .path("resources")
                .valueStream()
                .map(resource -> resource.asString(""))
                .collect(Collectors.joining(", "));
        String question = ProtocolJson.text(request, "action") + ": " + ToolSummary.firstOf(what);
        ObjectNode shown = ProtocolJson.object();
        shown.set("resources", request.path("resources"));
        events.add(
            new AgentEvent.Asked(ask, AskKind.PERMISSION, question, RequestDetail.of(shown)));
      }
    }
    for (String ask : memo.asks()) {
      if (!open.contains(ask)) {
        events.add(new AgentEvent.AskClosed(ask, "the agent no longer asks for it"));
      }
    }
    memo = memo.withAsks(open);
    return events;
  }
}
