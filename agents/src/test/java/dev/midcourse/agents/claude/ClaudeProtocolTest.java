package dev.midcourse.agents.claude;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.agents.AgentSettings;
import dev.midcourse.agents.AttemptSpec;
import dev.midcourse.agents.HubEnvironment;
import dev.midcourse.agents.stdio.Protocol;
import dev.midcourse.agents.stdio.ProtocolOutput;
import dev.midcourse.core.agent.AgentEvent;
import dev.midcourse.core.agent.AgentEvent.TurnEnd;
import dev.midcourse.core.agent.Capability;
import dev.midcourse.core.agent.Usage;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SessionId;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.run.AskAnswer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What Claude Code's lines mean, line by line, and after a hub died between any two of them. */
class ClaudeProtocolTest {
  private static final SteerId STEER = SteerId.of("11111111-2222-4333-8444-555555555555");
  private static final AttemptSpec ORDER = order(Optional.empty());
  private static final String OPENING = ClaudeMessages.of(ORDER).opening(1);

  private final ClaudeDefinition definition =
      new ClaudeDefinition(AgentSettings.defaults(), new HubEnvironment(Map.of()));

  private static AttemptSpec order(Optional<SessionId> resume) {
    return new AttemptSpec(
        RunId.of("run-1"),
        1,
        "0123456789abcdef0123456789abcdef",
        Path.of("attempt"),
        Path.of("home"),
        Path.of("workspace"),
        resume,
        Map.of());
  }

  /** Reads all lines; between any two of them another hub takes over. */
  private List<AgentEvent> read(AttemptSpec spec, String... lines) {
    List<AgentEvent> events = new ArrayList<>();
    Protocol protocol = definition.protocol(spec, Optional.empty());
    for (String line : lines) {
      events.addAll(protocol.read(line).events());
      protocol = definition.protocol(spec, Optional.of(protocol.memo()));
    }
    return events;
  }

  private List<AgentEvent> read(String... lines) {
    return read(ORDER, lines);
  }

  private static String hello(String version) {
    return """
    {"type":"control_response","response":{"subtype":"success","request_id":"hello",\
    "response":{"commands":[],"claude_code_version":"%s"}}}\
    """
        .formatted(version);
  }

  private static String lifecycle(String message, String state) {
    return """
    {"type":"command_lifecycle","command_uuid":"%s","state":"%s","uuid":"u"}\
    """
        .formatted(message, state);
  }

  private static String init() {
    return """
    {"type":"system","subtype":"init","capabilities":["msg_lifecycle_v1"]}\
    """;
  }

  private static String result(String reason, String more) {
    return """
    {"type":"result","subtype":"success","is_error":false,"terminal_reason":"%s",\
    "result":"Done."%s}\
    """
        .formatted(reason, more);
  }

  private static String result(String reason) {
    return result(reason, "");
  }

  private static String background(String tasks) {
    return """
    {"type":"system","subtype":"background_tasks_changed","tasks":[%s]}\
    """
        .formatted(tasks);
  }

  private static String[] running(String... more) {
    List<String> lines =
        new ArrayList<>(
            List.of(
                hello("2.1.325"),
                lifecycle(OPENING, "queued"),
                lifecycle(OPENING, "started"),
                init()));
    lines.addAll(List.of(more));
    return lines.toArray(String[]::new);
  }

  @Test
  void a_turn_is_reported_from_the_opening_message_to_the_result() {
    List<AgentEvent> events = read(running(result("completed")));

    assertThat(events.getFirst()).isInstanceOf(AgentEvent.Started.class);
    assertThat(events.subList(1, events.size()))
        .containsExactly(
            new AgentEvent.PromptAccepted(1, "queued by Claude Code"),
            new AgentEvent.PromptInjected(1, "started by Claude Code"),
            new AgentEvent.TurnStarted(false),
            new AgentEvent.SessionNamed(ClaudeMessages.of(ORDER).session()),
            new AgentEvent.TurnEnded(TurnEnd.COMPLETED, "completed", "Done."));
  }

  @Test
  void a_steer_that_waited_for_the_end_of_the_turn_opens_one_by_itself() {
    List<AgentEvent> events =
        read(
            running(
                lifecycle(STEER.value(), "queued"),
                result("completed"),
                lifecycle(STEER.value(), "started"),
                init(),
                result("completed")));

    assertThat(events)
        .containsSubsequence(
            new AgentEvent.SteerAccepted(STEER, "queued by Claude Code"),
            new AgentEvent.TurnEnded(TurnEnd.COMPLETED, "completed", "Done."),
            new AgentEvent.SteerInjected(STEER, "started by Claude Code"),
            new AgentEvent.TurnStarted(true),
            new AgentEvent.TurnEnded(TurnEnd.COMPLETED, "completed", "Done."));
    assertThat(events.stream().filter(AgentEvent.TurnStarted.class::isInstance)).hasSize(2);
  }

  @Test
  void how_a_turn_ended_is_read_from_its_reason_and_never_from_its_subtype() {
    assertThat(last(read(running(result("aborted_tools")))).how()).isEqualTo(TurnEnd.INTERRUPTED);
    assertThat(last(read(running(result("aborted_streaming")))).how())
        .isEqualTo(TurnEnd.INTERRUPTED);
    assertThat(last(read(running(result("api_error")))))
        .satisfies(end -> {
          assertThat(end.how()).isEqualTo(TurnEnd.ERROR);
          assertThat(end.reason()).isEqualTo("api_error: Done.");
        });
    assertThat(last(read(running(result("max_turns")))).how()).isEqualTo(TurnEnd.ERROR);
  }

  private static AgentEvent.TurnEnded last(List<AgentEvent> events) {
    return (AgentEvent.TurnEnded) events.getLast();
  }

  /** Seen to fail when ClaudeProtocol ends a turn with its first result. */
  @Test
  void t24_a_turn_continues_until_its_background_tasks_are_done() {
    String task = "{\"task_id\":\"t\"}";
    List<AgentEvent> events =
        read(
            running(
                background(task),
                result("completed"),
                background(""),
                init(),
                result("completed")));

    assertThat(events.stream().filter(AgentEvent.TurnEnded.class::isInstance)).hasSize(1);
    assertThat(events.stream().filter(AgentEvent.TurnStarted.class::isInstance)).hasSize(1);
    assertThat(events).contains(new AgentEvent.Waiting("1 background tasks are running"));
  }

  @Test
  void a_turn_that_waits_for_the_background_can_be_interrupted() {
    String interrupted =
        """
        {"type":"control_response","response":{"subtype":"success","request_id":"interrupt",\
        "response":{"still_queued":[]}}}\
        """;
    List<AgentEvent> waiting =
        read(running(background("{\"task_id\":\"t\"}"), result("completed"), interrupted));

    assertThat(last(waiting).how()).isEqualTo(TurnEnd.INTERRUPTED);
    assertThat(read(running(interrupted)).stream().filter(AgentEvent.TurnEnded.class::isInstance))
        .isEmpty();
  }

  /** Seen to fail when ClaudeProtocol takes every result for the end of our turn. */
  @Test
  void t08_a_turn_of_its_own_that_ends_before_ours_begins_does_not_end_ours() {
    List<AgentEvent> events =
        read(hello("2.1.325"), init(), lifecycle(OPENING, "queued"), result("completed"));

    assertThat(events.stream().filter(AgentEvent.TurnEnded.class::isInstance)).isEmpty();
  }

  @Test
  void an_older_version_shows_a_message_by_its_echo_and_claims_no_more() {
    String echo =
        """
        {"type":"user","message":{"role":"user","content":"x"},"uuid":"%s","isReplay":true}\
        """;
    List<AgentEvent> events =
        read(hello("2.1.197"), echo.formatted(OPENING), echo.formatted(STEER));

    AgentEvent.Started started = (AgentEvent.Started) events.getFirst();
    assertThat(started.can().has(Capability.ACCEPTED_EVIDENCE)).isFalse();
    assertThat(started.can().has(Capability.IGNORES_REPEATED_ID)).isFalse();
    assertThat(started.can().has(Capability.INJECTED_EVIDENCE)).isTrue();
    assertThat(events)
        .contains(new AgentEvent.SteerInjected(STEER, "echo of the message"))
        .contains(new AgentEvent.PromptInjected(1, "echo of the message"));
    // Where it tells more, a repeated message is echoed although it is only queued.
    assertThat(read(running(echo.formatted(STEER))))
        .noneMatch(AgentEvent.SteerInjected.class::isInstance);
  }

  @Test
  void usage_is_reported_as_growth_also_in_a_resumed_session() {
    String usage =
        ",\"modelUsage\":{\"m\":{\"inputTokens\":300,\"outputTokens\":30,\"costUSD\":0.002}}";
    String more =
        usage
            + ",\"model_usage_since_last_result\":{\"m\":{\"inputTokens\":100,"
            + "\"cacheReadInputTokens\":5,\"outputTokens\":10,\"costUSD\":0.0005}}";

    assertThat(read(running(result("completed", usage), result("completed", usage))))
        .filteredOn(AgentEvent.Used.class::isInstance)
        .containsExactly(new AgentEvent.Used(new Usage(300, 30, 2_000)));
    AttemptSpec resumed = order(Optional.of(SessionId.of("s-1")));
    assertThat(read(resumed, running(result("completed", more))))
        .contains(new AgentEvent.Used(new Usage(105, 10, 500)));
    assertThat(read(resumed, running(result("completed", usage))))
        .noneMatch(AgentEvent.Used.class::isInstance);
  }

  /** Seen to fail when ClaudeEventMapper takes a sub-agent's words for the agent's. */
  @Test
  void t25_tools_are_reported_with_their_timeout_and_subagents_as_the_tools_they_are() {
    String use =
        """
        {"type":"assistant","parent_tool_use_id":%s,"message":{"content":[\
        {"type":"tool_use","id":"call-1","name":"Bash",\
        "input":{"command":"make test\\nmore","timeout":300000}}]}}\
        """;
    String done =
        """
        {"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"call-1",\
        "is_error":true,"content":[{"type":"text","text":"Exit code 2"}]}]}}\
        """;

    assertThat(read(running(use.formatted("null"), done, use.formatted("\"call-0\""))))
        .contains(
            new AgentEvent.ToolStarted(
                "call-1", "Bash", "make test", Optional.of(Duration.ofMinutes(5))),
            new AgentEvent.ToolFinished("call-1", false, "Exit code 2"),
            new AgentEvent.ToolOutput("call-0", "Bash: make test"));
    String inner =
        done.replace("{\"type\":\"user\"", "{\"parent_tool_use_id\":\"call-0\",\"type\":\"user\"");
    assertThat(read(running(inner))).noneMatch(AgentEvent.ToolFinished.class::isInstance);
  }

  @Test
  void a_request_for_permission_is_an_ask_and_any_other_is_turned_down_at_once() {
    Protocol protocol = definition.protocol(ORDER, Optional.empty());
    String ask =
        """
        {"type":"control_request","request_id":"r-1","request":{"subtype":"%s",\
        "tool_name":"Bash","input":{"command":"rm -r x"}}}\
        """;
    ProtocolOutput asked = protocol.read(ask.formatted("can_use_tool"));
    ProtocolOutput other = protocol.read(ask.formatted("elicitation"));

    assertThat(asked.events())
        .containsExactly(
            new AgentEvent.Asked(
                "r-1", AgentEvent.AskKind.PERMISSION, "Bash: rm -r x", "command\n  │ rm -r x"));
    assertThat(other.events()).isEmpty();
    assertThat(other.replies()).hasSize(1);
    assertThat(protocol.answer("r-1", new AskAnswer.Deny("no")).getFirst())
        .contains("\"behavior\":\"deny\"", "\"message\":\"no\"", "\"request_id\":\"r-1\"");
  }

  @Test
  void garbage_is_reported_and_unknown_kinds_are_ignored() {
    assertThat(read("not json")).hasOnlyElementsOfType(AgentEvent.Garbage.class).hasSize(1);
    assertThat(read("{\"type\":\"something_new\"}")).isEmpty();
  }

  @Test
  void the_same_order_gives_the_same_ids_and_another_attempt_others() {
    Protocol one = definition.protocol(ORDER, Optional.empty());
    Protocol again = definition.protocol(ORDER, Optional.of(one.memo()));

    assertThat(one.prompt(7, "x")).isEqualTo(again.prompt(7, "x"));
    assertThat(one.prompt(7, "x")).isNotEqualTo(one.prompt(8, "x"));
    assertThat(ClaudeMessages.of(ORDER).turnOf(ClaudeMessages.of(ORDER).opening(4711)))
        .hasValue(4711);
    assertThat(ClaudeMessages.of(ORDER).turnOf(STEER.value())).isEmpty();
    AttemptSpec other =
        new AttemptSpec(
            ORDER.run(),
            2,
            "another-mark-0123456789",
            ORDER.folder(),
            ORDER.home(),
            ORDER.workspace(),
            Optional.empty(),
            Map.of());
    assertThat(ClaudeMessages.of(other)).isNotEqualTo(ClaudeMessages.of(ORDER));
    assertThat(one.steer(STEER, "/compact").getFirst()).contains("\"client_composed\":true");
  }
}
