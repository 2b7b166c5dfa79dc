package dev.midcourse.agents.opencode;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.agents.AttemptSpec;
import dev.midcourse.agents.stdio.ProtocolJson;
import dev.midcourse.core.agent.AgentEvent;
import dev.midcourse.core.agent.AgentEvent.AskKind;
import dev.midcourse.core.agent.AgentEvent.TurnEnd;
import dev.midcourse.core.agent.Usage;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SessionId;
import dev.midcourse.core.id.SteerId;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What the log of a session means, entry by entry, and after a hub died between any two. */
class OpenCodeEventLogTest {
  private static final SteerId STEER = SteerId.of("11111111-2222-4333-8444-555555555555");
  private static final SteerId OTHER = SteerId.of("66666666-7777-4888-9999-000000000000");
  private static final OpenCodeIds IDS = ids(1);
  private static final String PROMPT = IDS.opening(1);

  private OpenCodeEventLog log = new OpenCodeEventLog(IDS, OpenCodeMemo.FRESH);

  private static OpenCodeIds ids(int attempt) {
    return OpenCodeIds.of(
        new AttemptSpec(
            RunId.of("some-run"),
            attempt,
            "mark",
            Path.of("folder"),
            Path.of("home"),
            Path.of("workspace"),
            Optional.empty(),
            Map.of()));
  }

  private static JsonNode entry(String type, String data) {
    return ProtocolJson.object("{\"type\":\"session.next.%s\",\"data\":{%s}}".formatted(type, data))
        .orElseThrow();
  }

  private static JsonNode admitted(String message) {
    return entry("prompt.admitted", "\"messageID\":\"" + message + "\"");
  }

  private static JsonNode prompted(String message) {
    return entry("prompted", "\"messageID\":\"" + message + "\"");
  }

  private static JsonNode ended(String finish) {
    return entry(
        "step.ended",
        """
        "finish":"%s","cost":0,"tokens":{"input":100,"output":7,"reasoning":1,\
        "cache":{"read":20,"write":3}}\
        """
            .formatted(finish));
  }

  private static final JsonNode STEP = entry("step.started", "\"agent\":\"build\"");

  private List<AgentEvent> read(JsonNode... entries) {
    List<AgentEvent> events = new ArrayList<>();
    for (JsonNode entry : entries) {
      events.addAll(told(it -> it.read(entry)));
    }
    return events;
  }

  private List<AgentEvent> told(Function<OpenCodeEventLog, List<AgentEvent>> what) {
    List<AgentEvent> events = what.apply(log);
    log = new OpenCodeEventLog(IDS, OpenCodeMemo.read(log.memo()));
    return events;
  }

  @Test
  void an_entry_that_is_not_as_it_should_be_is_reported_as_garbage_and_the_next_is_read() {
    JsonNode odd = entry("step.ended", "\"tokens\":{\"input\":\"many\"}");

    assertThat(log.read(odd)).singleElement().isInstanceOf(AgentEvent.Garbage.class);
    assertThat(log.read(entry("step.started", ""))).isNotEmpty();
    assertThat(OpenCodeStartup.seq(ProtocolJson.object("{\"durable\":{\"seq\":{}}}").orElseThrow()))
        .isZero();
  }

  @Test
  void a_turn_is_reported_from_the_prompt_to_the_moment_it_is_idle() {
    List<AgentEvent> events =
        read(
            admitted(PROMPT),
            prompted(PROMPT),
            STEP,
            entry("text.ended", "\"text\":\"Done.\""),
            ended("stop"));
    assertThat(events)
        .containsExactly(
            new AgentEvent.PromptAccepted(1, "session.next.prompt.admitted"),
            new AgentEvent.SessionNamed(SessionId.of(IDS.session())),
            new AgentEvent.TurnStarted(false),
            new AgentEvent.PromptInjected(1, "session.next.prompted"),
            new AgentEvent.Said("Done."),
            new AgentEvent.Used(new Usage(123, 8, 0)));
    assertThat(log.mayBeOver()).isTrue();
    assertThat(told(OpenCodeEventLog::idle))
        .containsExactly(new AgentEvent.TurnEnded(TurnEnd.COMPLETED, "stop", "Done."));
    assertThat(told(OpenCodeEventLog::idle)).isEmpty();
  }

  @Test
  void a_steer_is_accepted_when_it_is_admitted_and_injected_when_it_is_prompted() {
    read(admitted(PROMPT), prompted(PROMPT), STEP);
    String message = IDS.message(STEER);
    assertThat(read(admitted(message), ended("tool-calls"), prompted(message)))
        .contains(
            new AgentEvent.SteerAccepted(STEER, "session.next.prompt.admitted"),
            new AgentEvent.SteerInjected(STEER, "session.next.prompted"))
        .noneMatch(AgentEvent.TurnStarted.class::isInstance);
  }

  @Test
  void a_steer_that_found_no_turn_opens_one_by_itself() {
    read(admitted(PROMPT), prompted(PROMPT), STEP, ended("stop"));
    told(OpenCodeEventLog::idle);
    assertThat(read(prompted(IDS.message(STEER))))
        .containsExactly(
            new AgentEvent.TurnStarted(true),
            new AgentEvent.SteerInjected(STEER, "session.next.prompted"));
  }

  @Test
  void the_steer_held_when_idle_is_named_until_it_is_taken() {
    read(admitted(PROMPT), prompted(PROMPT), STEP, admitted(IDS.message(STEER)));
    assertThat(log.left()).isEmpty();
    read(ended("tool-calls"));
    told(OpenCodeEventLog::idle);
    assertThat(log.left()).hasValue(IDS.message(STEER));
    read(prompted(IDS.message(STEER)));
    assertThat(log.left()).isEmpty();
  }

  @Test
  void a_turn_that_stopped_among_its_tools_or_in_a_step_was_broken_off() {
    read(prompted(PROMPT), STEP, ended("tool-calls"));
    assertThat(how()).isEqualTo(TurnEnd.INTERRUPTED);
    read(prompted(PROMPT), STEP);
    assertThat(how()).isEqualTo(TurnEnd.INTERRUPTED);
  }

  @Test
  void a_turn_that_was_interrupted_before_its_first_step_was_broken_off() {
    read(prompted(PROMPT));
    log.interrupted();
    assertThat(how()).isEqualTo(TurnEnd.INTERRUPTED);
    read(prompted(PROMPT));
    assertThat(told(OpenCodeEventLog::idle))
        .containsExactly(
            new AgentEvent.TurnEnded(TurnEnd.ERROR, "it stopped before it asked the model", ""));
  }

  private TurnEnd how() {
    return ((AgentEvent.TurnEnded) told(OpenCodeEventLog::idle).getFirst()).how();
  }

  @Test
  void a_failed_step_is_the_reason_unless_another_one_follows() {
    JsonNode failed = entry("step.failed", "\"error\":{\"message\":\"HTTP 401\"}");
    read(prompted(PROMPT), STEP, failed);
    assertThat(told(OpenCodeEventLog::idle))
        .containsExactly(new AgentEvent.TurnEnded(TurnEnd.ERROR, "HTTP 401", ""));
    read(prompted(PROMPT), STEP, failed, STEP, ended("stop"));
    assertThat(how()).isEqualTo(TurnEnd.COMPLETED);
  }

  @Test
  void a_resumed_session_still_has_what_it_took_in_and_what_it_held() {
    OpenCodeIds earlier = ids(7);
    List<AgentEvent> events =
        told(it ->
            it.started(
                "1.18.33",
                List.of(
                    admitted(earlier.opening(1)),
                    prompted(earlier.opening(1)),
                    admitted(IDS.message(STEER)),
                    prompted(IDS.message(STEER)),
                    admitted(IDS.message(OTHER)))));
    String evidence = "in the log of the session when it was resumed";
    assertThat(events.getFirst()).isInstanceOf(AgentEvent.Started.class);
    assertThat(events.subList(1, events.size()))
        .containsExactly(
            new AgentEvent.SteerInjected(STEER, evidence),
            new AgentEvent.SteerAccepted(OTHER, evidence));
    assertThat(log.left()).isEmpty();
  }

  @Test
  void tools_are_reported_with_what_they_are_about() {
    String call = "\"callID\":\"c\",\"tool\":\"bash\",\"input\":{\"command\":\"make test\"}";
    assertThat(
            read(
                entry("tool.called", call),
                entry("tool.success", "\"callID\":\"c\",\"content\":[{\"text\":\"ok\\nmore\"}]"),
                entry("tool.failed", "\"callID\":\"d\",\"error\":{\"message\":\"no\"}")))
        .containsExactly(
            new AgentEvent.ToolStarted("c", "bash", "make test", Optional.empty()),
            new AgentEvent.ToolFinished("c", true, "ok"),
            new AgentEvent.ToolFinished("d", false, "no"));
  }

  @Test
  void a_permission_is_asked_once_and_closed_when_it_is_gone() {
    JsonNode waiting =
        ProtocolJson.object(
                "{\"data\":[{\"id\":\"per_1\",\"action\":\"bash\",\"resources\":[\"echo a\"]}]}")
            .orElseThrow()
            .path("data");
    assertThat(told(it -> it.waitsFor(waiting)))
        .containsExactly(
            new AgentEvent.Asked(
                "per_1", AskKind.PERMISSION, "bash: echo a", "resources[0]\n  │ echo a"));
    assertThat(told(it -> it.waitsFor(waiting))).isEmpty();
    assertThat(told(it -> it.waitsFor(ProtocolJson.object().putArray("none"))))
        .containsExactly(new AgentEvent.AskClosed("per_1", "the agent no longer asks for it"));
  }

  @Test
  void the_ids_of_another_attempt_open_no_turn_of_this_one() {
    assertThat(IDS.turnOf(ids(2).opening(1))).isEmpty();
    assertThat(IDS.steerOf(PROMPT)).isEmpty();
    assertThat(IDS.turnOf(PROMPT)).hasValue(1);
  }
}
