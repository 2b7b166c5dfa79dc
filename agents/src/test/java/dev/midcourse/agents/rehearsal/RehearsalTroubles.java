package dev.midcourse.agents.rehearsal;

import static dev.midcourse.agents.Steers.framed;
import static dev.midcourse.agents.Steers.opening;
import static dev.midcourse.agents.Steers.steer;
import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.agents.Agent;
import dev.midcourse.agents.Agent.WriteResult;
import dev.midcourse.agents.RecordingListener;
import dev.midcourse.agents.Steers;
import dev.midcourse.core.agent.AgentEvent.BarrierPassed;
import dev.midcourse.core.agent.AgentEvent.Exited;
import dev.midcourse.core.agent.AgentEvent.Garbage;
import dev.midcourse.core.agent.AgentEvent.PromptAccepted;
import dev.midcourse.core.agent.AgentEvent.Said;
import dev.midcourse.core.agent.AgentEvent.Started;
import dev.midcourse.core.agent.AgentEvent.SteerAccepted;
import dev.midcourse.core.agent.AgentEvent.SteerInjected;
import dev.midcourse.core.agent.AgentEvent.SteerRefused;
import dev.midcourse.core.agent.AgentEvent.ToolStarted;
import dev.midcourse.core.agent.AgentEvent.TurnEnd;
import dev.midcourse.core.agent.AgentEvent.TurnEnded;
import dev.midcourse.core.agent.AgentEvent.TurnStarted;
import dev.midcourse.core.agent.AgentEvent.Used;
import dev.midcourse.core.id.SessionId;
import dev.midcourse.core.id.SteerId;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Misbehaviour on request, and sessions that continue after their agent is gone. */
abstract class RehearsalTroubles extends RehearsalSteers {

  // ---- misbehaviour

  @Test
  void it_refuses_steers_on_request() {
    RecordingListener listener = new RecordingListener();
    Agent agent = start(listener, Optional.empty());
    agent.prompt(1, "! refuse-steers\n$ sleep 5");
    listener.await(ToolStarted.class);
    SteerId id = Steers.id();
    agent.steer(id, framed(id, "please"));
    assertThat(listener.await(SteerRefused.class).steer()).isEqualTo(id);
  }

  @Test
  void garbage_is_reported_and_the_run_continues() {
    RecordingListener listener = new RecordingListener();
    start(listener, Optional.empty()).prompt(1, "! garbage\n$ true");
    assertThat(listener.await(TurnEnded.class).how()).isEqualTo(TurnEnd.COMPLETED);
    assertThat(listener.all(Garbage.class)).isNotEmpty();
  }

  @Test
  void a_hanging_agent_reports_nothing_and_can_still_be_ended() {
    RecordingListener listener = new RecordingListener();
    Agent agent = start(listener, Optional.empty());
    agent.prompt(1, "$ true\n! hang\n$ true never");
    listener.await(Used.class);
    agent.barrier("never");
    agent.end(GRACE);
    listener.await(Exited.class);
    assertThat(listener.all(BarrierPassed.class)).isEmpty();
    assertThat(commands(listener)).containsExactly("true");
  }

  @Test
  void a_slow_starter_reports_no_prompt_and_then_reads_all_in_order() {
    RecordingListener listener = new RecordingListener();
    Agent agent = start(listener, Optional.empty());
    listener.await(Started.class);
    agent.prompt(1, "! slow-start 400\n$ sleep 0.3");
    SteerId id = Steers.id();
    agent.steer(id, framed(id, "meanwhile"));
    agent.barrier("meanwhile");
    listener.await(TurnEnded.class);
    assertThat(listener.events())
        .containsSubsequence(
            new PromptAccepted(1, "held"),
            new TurnStarted(false),
            new SteerAccepted(id, "held"),
            new BarrierPassed("meanwhile"));
  }

  @Test
  void a_flood_of_output_is_read_to_its_last_line() {
    RecordingListener listener = new RecordingListener();
    start(listener, Optional.empty()).prompt(1, "! flood 20000");
    listener.await(TurnEnded.class);
    List<Said> said = listener.all(Said.class);
    assertThat(said).hasSize(20000);
    assertThat(said.getLast()).isEqualTo(new Said("flood 20000"));
  }

  @Test
  void the_exit_of_an_agent_that_does_not_answer_is_reported() {
    RecordingListener listener = new RecordingListener();
    Agent agent = start(listener, Optional.empty());
    agent.prompt(1, "$ true\n! exit-without-answer");
    assertThat(listener.await(Exited.class).code()).isZero();
    assertThat(listener.events().getLast()).isInstanceOf(Exited.class);
    assertThat(listener.all(TurnEnded.class)).isEmpty();
    assertThat(agent.prompt(2, "$ true")).isEqualTo(WriteResult.EXITED);
  }

  // ---- sessions

  @Test
  void a_resumed_turn_continues_after_the_last_finished_command() {
    RecordingListener listener = new RecordingListener();
    Agent agent = start(listener, Optional.empty());
    agent.prompt(1, "$ true 1\n! die-on-steer\n$ sleep 1\n$ true 3");
    listener.await(ToolStarted.class, it -> it.summary().equals("sleep 1"));
    SteerId lost = Steers.id();
    agent.steer(lost, framed(lost, "never heard"));
    assertThat(listener.await(Exited.class).code()).isEqualTo(137);
    assertThat(listener.all(SteerAccepted.class)).isEmpty();

    RecordingListener again = new RecordingListener();
    Agent resumed = start(again, listener.await(Started.class).session());
    assertThat(again.await(Started.class).session())
        .isEqualTo(listener.await(Started.class).session());
    resumed.prompt(2, opening("Go on.", steer(lost, "heard now\n$ true 2")));

    assertThat(again.await(TurnEnded.class).text())
        .isEqualTo("done: 4 steps\nheard:\n- " + lost + ": heard now");
    assertThat(commands(again)).containsExactly("true 2", "sleep 1", "true 3");
  }

  @Test
  void a_steer_that_was_acknowledged_by_an_agent_that_died_can_be_sent_again() {
    RecordingListener listener = new RecordingListener();
    Agent agent = start(listener, Optional.empty());
    agent.prompt(1, "! ack-then-die\n$ sleep 5");
    listener.await(ToolStarted.class);
    SteerId id = Steers.id();
    agent.steer(id, framed(id, "hello"));
    listener.await(Exited.class);
    assertThat(listener.all(SteerAccepted.class)).hasSize(1);
    assertThat(listener.all(SteerInjected.class)).isEmpty();

    RecordingListener again = new RecordingListener();
    Agent resumed = start(again, listener.await(Started.class).session());
    resumed.prompt(2, "Go on.");
    again.await(ToolStarted.class);
    resumed.steer(id, framed(id, "hello\n$ true"));
    resumed.interrupt();

    assertThat(again.await(TurnEnded.class, _ -> true, 2).text())
        .isEqualTo("done: 1 step\nheard:\n- " + id + ": hello");
  }

  @Test
  void a_steer_that_was_taken_in_by_an_agent_that_died_is_not_taken_in_again() {
    RecordingListener listener = new RecordingListener();
    Agent agent = start(listener, Optional.empty());
    agent.prompt(1, "! die-after-inject\n$ sleep 0.2\n$ true last");
    listener.await(ToolStarted.class);
    SteerId id = Steers.id();
    agent.steer(id, framed(id, "hello\n$ sleep 0.3"));
    listener.await(Exited.class);
    assertThat(listener.all(SteerInjected.class)).hasSize(1);

    RecordingListener again = new RecordingListener();
    Agent resumed = start(again, listener.await(Started.class).session());
    resumed.prompt(2, opening("Go on.", steer(id, "hello\n$ sleep 0.3")));
    again.await(ToolStarted.class);
    resumed.steer(id, framed(id, "hello\n$ sleep 0.3"));

    assertThat(again.await(TurnEnded.class).text())
        .isEqualTo("done: 3 steps\nheard:\n- " + id + ": hello");
    assertThat(again.all(SteerInjected.class))
        .containsExactly(new SteerInjected(id, "in the session already"));
    assertThat(commands(again)).containsExactly("sleep 0.3", "true last");
  }

  @Test
  void the_same_prompt_in_a_resumed_session_is_gone_on_with_or_answered_again() {
    RecordingListener listener = new RecordingListener();
    Agent agent = start(listener, Optional.empty());
    agent.prompt(1, "$ true 1");
    listener.await(TurnEnded.class);
    agent.prompt(2, "$ true 2\n! exit-without-answer\n$ true 3");
    listener.await(Exited.class);

    RecordingListener again = new RecordingListener();
    Agent resumed = start(again, listener.await(Started.class).session());
    resumed.prompt(1, "$ true 1");
    assertThat(again.await(TurnEnded.class))
        .isEqualTo(new TurnEnded(TurnEnd.COMPLETED, "answered before", "done: 1 step"));
    resumed.prompt(2, "$ true 2\n! exit-without-answer\n$ true 3");
    assertThat(again.await(TurnEnded.class, _ -> true, 2).text()).isEqualTo("done: 2 steps");
    assertThat(commands(again)).containsExactly("true 3");
  }

  @Test
  void a_finished_turn_that_is_continued_repeats_its_answer() {
    RecordingListener listener = new RecordingListener();
    Agent agent = start(listener, Optional.empty());
    SteerId id = Steers.id();
    agent.prompt(1, opening("$ true", steer(id, "hello")));
    String answer = listener.await(TurnEnded.class).text();
    agent.end(GRACE);

    RecordingListener again = new RecordingListener();
    start(again, listener.await(Started.class).session()).prompt(2, "Go on.");

    assertThat(again.await(TurnEnded.class).text()).isEqualTo(answer);
  }

  @Test
  void a_session_that_does_not_exist_cannot_be_resumed() {
    RecordingListener listener = new RecordingListener();
    start(listener, Optional.of(SessionId.of("never-was")));
    Exited exited = listener.await(Exited.class);
    assertThat(exited.code()).isEqualTo(2);
    assertThat(exited.lastOutput()).contains("no such session: never-was");
  }
}
