package dev.midcourse.gateway.driver;

import static dev.midcourse.gateway.driver.SampleRecords.record;
import static dev.midcourse.gateway.read.SampleRequests.STEER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.core.agent.AgentEvent.SteerSeen;
import dev.midcourse.gateway.read.RequestClass;
import dev.midcourse.gateway.read.SteerPlace;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SeenEvidenceTest {
  private final SeenEvidence evidence = new SeenEvidence();

  @Test
  void a_steer_is_seen_once_with_the_first_request_that_proves_it() {
    assertThat(evidence.of(record(3)))
        .containsExactly(new SteerSeen(STEER, "request 3 (main 3), msg_3, 200"));
    assertThat(evidence.of(record(4))).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "MAIN")
  void a_request_of_another_class_proves_nothing(RequestClass kind) {
    assertThat(evidence.of(record(1, kind, true, SteerPlace.MESSAGE, "s1"))).isEmpty();
  }

  @Test
  void a_request_without_an_answer_of_the_model_proves_nothing() {
    assertThat(evidence.of(record(1, RequestClass.MAIN, false, SteerPlace.MESSAGE, "s1")))
        .isEmpty();
    assertThat(evidence.of(record(2))).hasSize(1);
  }

  /** Seen to fail when the session is not compared. */
  @Test
  void a_program_that_a_tool_starts_proves_nothing() {
    evidence.of(record(1, RequestClass.MAIN, true, SteerPlace.MESSAGE, "s1"));
    SeenEvidence fresh = new SeenEvidence();
    assertThat(fresh.of(SampleRecords.without(1, "s1"))).isEmpty();
    assertThat(fresh.of(record(2, RequestClass.MAIN, true, SteerPlace.MESSAGE, "s2"))).isEmpty();
    assertThat(fresh.of(record(3, RequestClass.MAIN, true, SteerPlace.MESSAGE, "s1"))).hasSize(1);
  }

  /** Seen to fail when the place is not looked at: the output of a tool could forge it. */
  @Test
  void a_steer_in_the_result_of_a_tool_needs_the_report_of_the_agent() {
    assertThat(evidence.of(record(1, RequestClass.MAIN, true, SteerPlace.TOOL_RESULT, "s1")))
        .isEmpty();
    assertThat(evidence.shown(STEER))
        .containsExactly(new SteerSeen(STEER, "request 1 (main 1), msg_1, 200"));
    assertThat(evidence.shown(STEER)).isEmpty();
  }

  @Test
  void a_steer_that_the_agent_has_shown_before_is_seen_in_the_result_of_a_tool() {
    assertThat(evidence.shown(STEER)).isEmpty();
    assertThat(evidence.of(record(1, RequestClass.MAIN, true, SteerPlace.TOOL_RESULT, "s1")))
        .hasSize(1);
  }
}
