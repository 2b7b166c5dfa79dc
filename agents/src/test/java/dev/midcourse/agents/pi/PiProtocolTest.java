package dev.midcourse.agents.pi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.agents.program.ProgramVersion;
import dev.midcourse.agents.stdio.Protocol;
import dev.midcourse.agents.stdio.ProtocolOutput;
import dev.midcourse.core.agent.AgentEvent;
import dev.midcourse.core.agent.AgentEvent.TurnEnd;
import dev.midcourse.core.agent.Usage;
import dev.midcourse.core.id.SessionId;
import dev.midcourse.core.id.SteerId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What pi's lines mean, line by line, and after a hub died between any two of them. */
class PiProtocolTest {
  private static final SteerId STEER = SteerId.of("11111111-2222-4333-8444-555555555555");
  private static final SteerId OTHER = SteerId.of("66666666-7777-4888-9999-000000000000");

  private final List<String> replies = new ArrayList<>();

  private List<AgentEvent> readOf(String version, String... lines) {
    List<AgentEvent> events = new ArrayList<>();
    Protocol protocol = new PiProtocol(PiMemo.fresh(ProgramVersion.in(version)));
    for (String line : lines) {
      ProtocolOutput reaction = protocol.read(line);
      events.addAll(reaction.events());
      replies.addAll(reaction.replies());
      protocol = new PiProtocol(PiMemo.read(protocol.memo()));
    }
    return events;
  }

  private List<AgentEvent> read(String... lines) {
    return readOf("0.87.1", lines);
  }

  private static String frame(SteerId steer, String text) {
    return "[midcourse steer %s from main via cli, 3 bytes: a correction]\\n%s\\n[end of"
            .formatted(steer, text)
        + " midcourse steer "
        + steer
        + "]";
  }

  private static String response(String id) {
    return """
    {"id":"%s","type":"response","command":"x","success":true}\
    """
        .formatted(id);
  }

  private static String failure(String id, String error) {
    return """
    {"id":"%s","type":"response","command":"x","success":false,"error":"%s"}\
    """
        .formatted(id, error);
  }

  private static String queueGiven(String id, String... texts) {
    return """
    {"id":"%s","type":"response","success":true,"data":{"steering":["%s"],"followUp":[]}}\
    """
        .formatted(id, String.join("\",\"", texts));
  }

  private static String shown(String text) {
    return """
    {"type":"message_start","message":{"role":"user",\
    "content":[{"type":"text","text":"%s"}]}}\
    """
        .formatted(text);
  }

  private static String said(String stop, String more) {
    return """
    {"type":"message_end","message":{"role":"assistant",\
    "content":[{"type":"text","text":"Done."}],"stopReason":"%s"%s}}\
    """
        .formatted(stop, more);
  }

  private static String state(String id, boolean compacting) {
    return """
    {"id":"%s","type":"response","success":true,\
    "data":{"sessionId":"s-1","isCompacting":%s}}\
    """
        .formatted(id, compacting);
  }

  private static final String HELLO = state("hello", false);
  private static final String BEGUN = "{\"type\":\"agent_start\"}";
  private static final String SETTLED = "{\"type\":\"agent_settled\"}";

  @Test
  void a_turn_is_reported_from_the_prompt_to_the_moment_it_settles() {
    List<AgentEvent> events =
        read(HELLO, response("prompt:1"), BEGUN, shown("Work."), said("stop", ""), SETTLED);

    assertThat(events.getFirst()).isInstanceOf(AgentEvent.Started.class);
    assertThat(events.subList(1, events.size()))
        .containsExactly(
            new AgentEvent.PromptAccepted(1, "confirmed by Pi (prompt)"),
            new AgentEvent.TurnStarted(false),
            new AgentEvent.PromptInjected(1, "message_start"),
            new AgentEvent.SessionNamed(SessionId.of("s-1")),
            new AgentEvent.Said("Done."),
            new AgentEvent.TurnEnded(TurnEnd.COMPLETED, "stop", "Done."));
  }

  /** Seen to fail when PiMessages looks for the id anywhere in the text. */
  @Test
  void t18_a_steer_is_known_by_the_first_words_of_its_frame_and_by_nothing_in_its_text() {
    String quoting = frame(STEER, "as in " + frame(OTHER, "x"));
    List<AgentEvent> events =
        read(HELLO, BEGUN, response("steer:" + STEER), shown(quoting), shown("x " + quoting));

    assertThat(events)
        .containsSubsequence(
            new AgentEvent.SteerAccepted(STEER, "confirmed by Pi (prompt)"),
            new AgentEvent.SteerInjected(STEER, "message_start"));
    assertThat(events.stream().filter(AgentEvent.SteerInjected.class::isInstance)).hasSize(1);
  }

  @Test
  void an_opening_that_consists_of_a_steer_is_the_opening() {
    assertThat(read(HELLO, response("prompt:2"), BEGUN, shown(frame(STEER, "x"))))
        .contains(new AgentEvent.PromptInjected(2, "message_start"))
        .noneMatch(AgentEvent.SteerInjected.class::isInstance);
  }

  @Test
  void a_steer_that_found_no_turn_opens_one_by_itself() {
    assertThat(read(HELLO, response("steer:" + STEER), BEGUN, shown(frame(STEER, "x"))))
        .containsSubsequence(
            new AgentEvent.TurnStarted(true), new AgentEvent.SteerInjected(STEER, "message_start"));
  }

  @Test
  void only_one_steer_is_withdrawn_and_the_others_are_ours_again() {
    assertThat(read(HELLO, queueGiven("withdraw:" + STEER, frame(OTHER, "a"), frame(STEER, "b"))))
        .contains(
            new AgentEvent.SteerNotTaken(OTHER, "the agent's queue was emptied"),
            new AgentEvent.SteerGivenBack(STEER, true));
    assertThat(read(HELLO, queueGiven("withdraw:" + STEER, frame(OTHER, "a"))))
        .contains(new AgentEvent.SteerGivenBack(STEER, false));
  }

  @Test
  void queued_steers_are_taken_back_when_it_settles() {
    String queued = "{\"type\":\"queue_update\",\"steering\":[\"x\"],\"followUp\":[]}";
    List<AgentEvent> events =
        read(
            HELLO,
            BEGUN,
            response("steer:" + STEER),
            queued,
            SETTLED,
            queueGiven("empty", frame(STEER, "b")));

    assertThat(replies).containsExactly("{\"id\":\"empty\",\"type\":\"clear_queue\"}");
    assertThat(events)
        .contains(new AgentEvent.SteerNotTaken(STEER, "the agent's queue was emptied"));
  }

  @Test
  void how_a_turn_ended_is_read_from_the_last_answer_and_from_our_requests() {
    assertThat(last(read(HELLO, BEGUN, said("aborted", ""), SETTLED)).how())
        .isEqualTo(TurnEnd.INTERRUPTED);
    String aborted = said("error", ",\"errorMessage\":\"This operation was aborted\"");
    assertThat(last(read(HELLO, BEGUN, queueGiven("clear", ""), aborted, SETTLED)).how())
        .isEqualTo(TurnEnd.INTERRUPTED);
    String overloaded = said("error", ",\"errorMessage\":\"529 overloaded\"");
    assertThat(last(read(HELLO, BEGUN, overloaded, SETTLED)))
        .isEqualTo(new AgentEvent.TurnEnded(TurnEnd.ERROR, "529 overloaded", ""));
    assertThat(read(HELLO, failure("prompt:1", "No API key")).getLast())
        .isEqualTo(new AgentEvent.TurnEnded(TurnEnd.ERROR, "No API key", ""));
  }

  private static AgentEvent.TurnEnded last(List<AgentEvent> events) {
    return (AgentEvent.TurnEnded) events.getLast();
  }

  @Test
  void an_older_version_ends_a_turn_without_settling_unless_it_retries() {
    String end = "{\"type\":\"agent_end\",\"willRetry\":%s}";
    assertThat(readOf("0.73.1", HELLO, BEGUN, said("stop", ""), end.formatted("true")))
        .noneMatch(AgentEvent.TurnEnded.class::isInstance);
    assertThat(last(readOf("0.73.1", HELLO, BEGUN, said("stop", ""), end.formatted("false"))).how())
        .isEqualTo(TurnEnd.COMPLETED);
    assertThat(read(HELLO, BEGUN, said("stop", ""), end.formatted("false")))
        .noneMatch(AgentEvent.TurnEnded.class::isInstance);
  }

  /** Seen to fail when PiProtocol lets a barrier pass while the agent compacts. */
  @Test
  void t09_a_barrier_asks_twice_and_waits_while_it_compacts() {
    List<AgentEvent> events =
        read(
            HELLO,
            state("barrier:b", false),
            state("barrier-again:b", true),
            "{\"type\":\"compaction_end\"}");
    assertThat(events).noneMatch(AgentEvent.BarrierPassed.class::isInstance);
    assertThat(replies)
        .containsExactly(
            "{\"id\":\"barrier-again:b\",\"type\":\"get_state\"}",
            "{\"id\":\"barrier-again:b\",\"type\":\"get_state\"}");
    assertThat(read(HELLO, state("barrier-again:b", false)))
        .contains(new AgentEvent.BarrierPassed("b"));
  }

  /** Seen to fail when PiProtocol refuses what is turned away. */
  @Test
  void t09_a_steer_that_is_turned_away_while_it_compacts_is_ours_again_afterwards() {
    String away = failure("steer:" + STEER, "Cannot submit a prompt while compaction is …");
    assertThat(read(HELLO, BEGUN, away)).noneMatch(AgentEvent.SteerNotTaken.class::isInstance);
    assertThat(read(HELLO, BEGUN, away, "{\"type\":\"compaction_end\"}"))
        .contains(new AgentEvent.SteerNotTaken(STEER, "the agent was compacting"));
    assertThat(read(HELLO, BEGUN, failure("steer:" + STEER, "no")))
        .contains(new AgentEvent.SteerRefused(STEER, "no"));
  }

  @Test
  void tools_and_usage_are_reported() {
    String tool =
        """
        {"type":"tool_execution_start","toolCallId":"c","toolName":"bash",\
        "args":{"command":"make","timeout":30}}\
        """;
    String output =
        """
        {"type":"tool_execution_update","toolCallId":"c",\
        "partialResult":{"content":[{"type":"text","text":"one\\ntwo\\n"}]}}\
        """;
    String used =
        ",\"usage\":{\"input\":100,\"cacheRead\":5,\"output\":10,\"cost\":{\"total\":0.00012}}";
    assertThat(read(HELLO, BEGUN, tool, output, said("stop", used)))
        .contains(
            new AgentEvent.ToolStarted("c", "bash", "make", Optional.of(Duration.ofSeconds(30))),
            new AgentEvent.ToolOutput("c", "two"),
            new AgentEvent.Used(new Usage(105, 10, 120)));
  }

  @Test
  void a_prompt_is_never_a_command_of_its_own_and_a_dialog_never_waits() {
    Protocol protocol = new PiProtocol(PiMemo.fresh(ProgramVersion.in("0.87.1")));
    assertThat(protocol.prompt(1, "/compact").getFirst()).contains("\"message\":\"\\n/compact\"");
    String dialog =
        "{\"type\":\"extension_ui_request\",\"id\":\"d\",\"method\":\"%s\",\"title\":\"?\"}";
    assertThat(protocol.read(dialog.formatted("confirm")).replies()).hasSize(1);
    assertThat(protocol.read(dialog.formatted("notify")).replies()).isEmpty();
  }
}
