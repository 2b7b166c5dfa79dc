package dev.midcourse.agents.claude;

import dev.midcourse.agents.program.ProgramVersion;
import dev.midcourse.agents.stdio.Protocol;
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
import java.util.OptionalInt;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The protocol of Claude Code. Every message has an id that Midcourse assigns. Claude Code reports
 * the state of a message by this id and, in current versions, ignores a repeated id.
 */
final class ClaudeProtocol implements Protocol {
  private static final String HELLO = "hello";
  private static final String INTERRUPT = "interrupt";
  private static final String BARRIER = "barrier:";
  private static final String WITHDRAW = "withdraw:";

  private final ClaudeMessages lines;
  private ClaudeMemo memo;

  ClaudeProtocol(ClaudeMessages lines, ClaudeMemo memo) {
    this.lines = lines;
    this.memo = memo;
  }

  @Override
  public String memo() {
    return memo.write();
  }

  // ---- writing

  /**
   * Claude Code writes nothing before it gets a request. It answers a second greeting like the
   * first.
   */
  @Override
  public List<String> hello() {
    return List.of(ClaudeMessages.request(HELLO, "initialize"));
  }

  @Override
  public List<String> prompt(int turn, String message) {
    return List.of(lines.prompt(turn, message));
  }

  @Override
  public List<String> steer(SteerId steer, String message) {
    return List.of(ClaudeMessages.message(steer.value(), message));
  }

  @Override
  public List<String> interrupt() {
    return List.of(ClaudeMessages.request(INTERRUPT, "interrupt"));
  }

  @Override
  public List<String> withdraw(SteerId steer) {
    return List.of(ClaudeMessages.takeBack(WITHDRAW + steer, steer.value()));
  }

  /** Claude Code asks only for permission, so a text counts as a denial with a reason. */
  @Override
  public List<String> answer(String ask, AskAnswer answer) {
    return List.of(
        switch (answer) {
          case AskAnswer.Allow() -> ClaudeMessages.allow(ask);
          case AskAnswer.Deny(String why) -> ClaudeMessages.deny(ask, why);
          case AskAnswer.Words(String text) -> ClaudeMessages.deny(ask, text);
        });
  }

  /** Claude Code reads its input in order and answers every request, at least with an error. */
  @Override
  public List<String> barrier(String name) {
    return List.of(ClaudeMessages.request(BARRIER + name, "get_binary_version"));
  }

  /** Without the interrupt, Claude Code would first finish its turn and the queued messages. */
  @Override
  public List<String> endSession() {
    return List.of(
        ClaudeMessages.interruptAll("last"), ClaudeMessages.request("end", "end_session"));
  }

  // ---- reading

  @Override
  public ProtocolOutput read(String message) {
    return ProtocolJson.object(message)
        .map(this::react)
        .orElseGet(() -> ProtocolOutput.garbage(message));
  }

  /** Ignores unknown kinds of lines, because new versions add them. */
  private ProtocolOutput react(ObjectNode line) {
    return switch (ProtocolJson.text(line, "type")) {
      case "control_response" -> ProtocolOutput.of(answered(line.path("response")));
      case "control_request" -> asked(line);
      case "control_cancel_request" ->
          ProtocolOutput.of(
              new AgentEvent.AskClosed(
                  ProtocolJson.text(line, "request_id"), "the agent no longer asks for it"));
      case "command_lifecycle" -> ProtocolOutput.of(lifecycle(line));
      case "system" -> ProtocolOutput.of(system(line));
      case "assistant" -> ProtocolOutput.of(ClaudeEventMapper.said(line));
      case "user" -> ProtocolOutput.of(user(line));
      case "result" -> ProtocolOutput.of(result(line));
      default -> ProtocolOutput.NONE;
    };
  }

  private List<AgentEvent> answered(JsonNode response) {
    String id = ProtocolJson.text(response, "request_id");
    if (id.equals(HELLO)) {
      return memo.started() ? List.of() : List.of(started(response.path("response")));
    }
    if (id.startsWith(BARRIER)) {
      return List.of(new AgentEvent.BarrierPassed(id.substring(BARRIER.length())));
    }
    if (id.startsWith(WITHDRAW)) {
      boolean given = response.path("response").path("cancelled").asBoolean();
      SteerId steer = SteerId.of(id.substring(WITHDRAW.length()));
      return List.of(new AgentEvent.SteerGivenBack(steer, given));
    }
    if (id.equals(INTERRUPT) && memo.held()) {
      memo = memo.asIdle(false);
      String why = "it was waiting for its background tasks";
      return List.of(new AgentEvent.TurnEnded(TurnEnd.INTERRUPTED, why, ""));
    }
    return List.of();
  }

  private AgentEvent started(JsonNode who) {
    ProgramVersion version = ProgramVersion.in(ProtocolJson.text(who, "claude_code_version"));
    memo = memo.asStarted(ClaudeVersion.reportsLifecycle(version));
    return new AgentEvent.Started(version.text(), ClaudeVersion.can(version), Optional.empty());
  }

  private static ProtocolOutput asked(JsonNode line) {
    String id = ProtocolJson.text(line, "request_id");
    JsonNode request = line.path("request");
    if (!ProtocolJson.text(request, "subtype").equals("can_use_tool")) {
      return ProtocolOutput.reply(ClaudeMessages.notOffered(id));
    }
    JsonNode input = request.path("input");
    String question = ProtocolJson.text(request, "tool_name") + ": " + ToolSummary.asked(input);
    return ProtocolOutput.of(
        new AgentEvent.Asked(id, AskKind.PERMISSION, question, RequestDetail.of(input)));
  }

  /**
   * Claude Code reports the state of one message; {@code started} means that the message is in the
   * conversation.
   */
  private List<AgentEvent> lifecycle(JsonNode line) {
    memo = memo.withLifecycleReports();
    String id = ProtocolJson.text(line, "command_uuid");
    String state = ProtocolJson.text(line, "state");
    String evidence = state + " by Claude Code";
    OptionalInt turn = lines.turnOf(id);
    if (turn.isPresent()) {
      return switch (state) {
        case "queued" -> {
          memo = memo.withOpening(turn.getAsInt());
          yield List.of(new AgentEvent.PromptAccepted(turn.getAsInt(), evidence));
        }
        case "started" -> opened(turn.getAsInt(), evidence);
        default -> {
          memo = memo.withOpening(0);
          yield List.of();
        }
      };
    }
    SteerId steer = SteerId.of(id);
    return switch (state) {
      case "queued" -> List.of(new AgentEvent.SteerAccepted(steer, evidence));
      case "started" -> injected(steer, evidence);
      case "discarded" -> List.of(new AgentEvent.SteerNotTaken(steer, "the agent discarded it"));
      case "refused" -> List.of(new AgentEvent.SteerRefused(steer, "the agent refused it"));
      // The answer to the withdraw request reports a withdrawal.
      default -> List.of();
    };
  }

  private List<AgentEvent> opened(int turn, String evidence) {
    memo = memo.withOpening(0);
    List<AgentEvent> events = new ArrayList<>();
    events.add(new AgentEvent.PromptInjected(turn, evidence));
    beginTurn(false, events);
    return events;
  }

  private List<AgentEvent> injected(SteerId steer, String evidence) {
    List<AgentEvent> events = new ArrayList<>();
    events.add(new AgentEvent.SteerInjected(steer, evidence));
    beginTurn(true, events);
    return events;
  }

  /**
   * Reports the start of a turn. A turn that waited for background tasks continues without a new
   * start.
   */
  private void beginTurn(boolean byItself, List<AgentEvent> events) {
    if (!memo.working() && !memo.held()) {
      events.add(new AgentEvent.TurnStarted(byItself));
    }
    memo = memo.asWorking();
  }

  private List<AgentEvent> system(JsonNode line) {
    return switch (ProtocolJson.text(line, "subtype")) {
      case "init" -> init(line);
      case "api_retry" -> List.of(new AgentEvent.Waiting(retry(line)));
      case "background_tasks_changed" -> {
        memo = memo.withBackground(line.path("tasks").size());
        yield List.of();
      }
      case "task_progress", "task_notification" -> {
        String call = ProtocolJson.text(line, "tool_use_id");
        String words = ProtocolJson.text(line, line.has("summary") ? "summary" : "description");
        yield call.isEmpty()
            ? List.of()
            : List.of(new AgentEvent.ToolOutput(call, ToolSummary.first(words)));
      }
      default -> List.of();
    };
  }

  /** Claude Code writes this line in every turn, before it calls the model. */
  private List<AgentEvent> init(JsonNode line) {
    for (JsonNode word : line.path("capabilities")) {
      if (word.asString("").equals(ClaudeVersion.MESSAGE_LIFECYCLE)) {
        memo = memo.withLifecycleReports();
      }
    }
    List<AgentEvent> events = new ArrayList<>();
    if (!memo.named()) {
      memo = memo.asNamed();
      events.add(new AgentEvent.SessionNamed(lines.session()));
    }
    beginTurn(true, events);
    return events;
  }

  private static String retry(JsonNode line) {
    return "the model returned %s; attempt %d of %d in %d ms"
        .formatted(
            ProtocolJson.text(line, "error_status").isEmpty()
                ? "nothing"
                : line.path("error_status"),
            line.path("attempt").asInt(),
            line.path("max_retries").asInt(),
            line.path("retry_delay_ms").asLong());
  }

  private List<AgentEvent> user(JsonNode line) {
    if (line.path("isReplay").asBoolean()) {
      return memo.tells() ? List.of() : echoed(ProtocolJson.text(line, "uuid"));
    }
    return ClaudeEventMapper.results(line);
  }

  /** The echo of a message is the only evidence that older versions give. */
  private List<AgentEvent> echoed(String id) {
    OptionalInt turn = lines.turnOf(id);
    String evidence = "echo of the message";
    return turn.isPresent()
        ? opened(turn.getAsInt(), evidence)
        : injected(SteerId.of(id), evidence);
  }

  private List<AgentEvent> result(JsonNode line) {
    if (!memo.started()) {
      return List.of();
    }
    List<AgentEvent> events = new ArrayList<>();
    ClaudeTurnResult result = ClaudeTurnResult.of(line, memo);
    memo = memo.withTotal(result.total());
    if (!result.more().equals(Usage.NOTHING)) {
      events.add(new AgentEvent.Used(result.more()));
    }
    AgentEvent.TurnEnded end = result.end();
    boolean goesOn = end.how() == TurnEnd.COMPLETED && memo.background() > 0;
    memo = memo.asIdle(goesOn);
    if (goesOn) {
      events.add(new AgentEvent.Waiting(memo.background() + " background tasks are running"));
    } else if (memo.opening() == 0) {
      events.add(end);
    }
    // Otherwise this was a turn that Claude Code began by itself; the turn of the opening message
    // has not begun yet.
    return events;
  }
}
