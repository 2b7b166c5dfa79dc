package dev.midcourse.agents.rehearsal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.agents.Agent;
import dev.midcourse.agents.Agent.WriteResult;
import dev.midcourse.agents.ProgramLookup;
import dev.midcourse.agents.RecordingListener;
import dev.midcourse.core.agent.AgentEvent.AskClosed;
import dev.midcourse.core.agent.AgentEvent.Asked;
import dev.midcourse.core.agent.AgentEvent.BarrierPassed;
import dev.midcourse.core.agent.AgentEvent.Exited;
import dev.midcourse.core.agent.AgentEvent.PromptAccepted;
import dev.midcourse.core.agent.AgentEvent.PromptInjected;
import dev.midcourse.core.agent.AgentEvent.Said;
import dev.midcourse.core.agent.AgentEvent.Started;
import dev.midcourse.core.agent.AgentEvent.SteerInjected;
import dev.midcourse.core.agent.AgentEvent.ToolFinished;
import dev.midcourse.core.agent.AgentEvent.ToolStarted;
import dev.midcourse.core.agent.AgentEvent.TurnEnd;
import dev.midcourse.core.agent.AgentEvent.TurnEnded;
import dev.midcourse.core.agent.AgentEvent.TurnStarted;
import dev.midcourse.core.agent.AgentEvent.Used;
import dev.midcourse.core.agent.Capabilities;
import dev.midcourse.core.agent.Usage;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.run.AskAnswer;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the rehearsal agent does, whether it is a process or plays inside the hub. */
abstract class RehearsalSuite extends RehearsalTroubles {

  // ---- turns

  @Test
  void it_is_found_with_its_version_and_can_do_everything() {
    assertThat(driver().find())
        .isInstanceOfSatisfying(
            ProgramLookup.Found.class,
            found -> {
              assertThat(found.version()).matches("\\d+\\.\\d+\\.\\d+.*");
              assertThat(found.can()).isEqualTo(Capabilities.FULL);
            });
  }

  @Test
  void its_first_message_is_its_identity() {
    RecordingListener listener = new RecordingListener();
    start(listener, Optional.empty());
    Started started = listener.await(Started.class);
    assertThat(listener.events().getFirst()).isEqualTo(started);
    assertThat(started.session()).isPresent();
  }

  @Test
  void the_commands_of_a_prompt_are_run_in_order_and_the_turn_ends_with_an_answer() {
    RecordingListener listener = new RecordingListener();
    Agent agent = start(listener, Optional.empty());
    assertThat(agent.prompt(1, "Do this:\n$ true 1\nthen\n$ true 2"))
        .isEqualTo(WriteResult.WRITTEN);
    TurnEnded ended = listener.await(TurnEnded.class);
    assertThat(ended).isEqualTo(new TurnEnded(TurnEnd.COMPLETED, "", "done: 2 steps"));
    assertThat(listener.events())
        .filteredOn(event -> !(event instanceof Used))
        .containsExactly(
            listener.await(Started.class),
            new PromptAccepted(1, "held"),
            new PromptInjected(1, "in the session"),
            new TurnStarted(false),
            new ToolStarted("call-1", "shell", "true 1", Optional.empty()),
            new ToolFinished("call-1", true, "exit status 0"),
            new ToolStarted("call-2", "shell", "true 2", Optional.empty()),
            new ToolFinished("call-2", true, "exit status 0"),
            ended);
  }

  @Tag("slow")
  @Test
  void a_prompt_without_commands_gives_a_newcomer_something_to_steer() {
    RecordingListener listener = new RecordingListener();
    Agent agent = start(listener, Optional.empty());
    agent.prompt(1, "Make it better");
    listener.await(Said.class);
    SteerId id = steerIn(agent, listener, "but not too much");
    listener.await(SteerInjected.class, it -> it.steer().equals(id));
    assertThat(listener.await(TurnEnded.class).text())
        .endsWith("heard:\n- " + id + ": but not too much");
    assertThat(listener.all(ToolStarted.class)).hasSizeGreaterThan(3);
  }

  @Test
  void usage_is_computed_from_the_texts() {
    RecordingListener listener = new RecordingListener();
    Agent agent = start(listener, Optional.empty());
    agent.prompt(1, "12345678\n$ true");
    listener.await(TurnEnded.class);
    // 15 bytes in; "true" and "done: 1 step" out; a token is four bytes.
    assertThat(total(listener)).isEqualTo(new Usage(4, 1 + 3, 4 * 3 + 4 * 15));
  }

  @Test
  void a_declared_timeout_is_reported() {
    RecordingListener listener = new RecordingListener();
    start(listener, Optional.empty()).prompt(1, "$ [timeout=120] true");
    assertThat(listener.await(ToolStarted.class))
        .isEqualTo(new ToolStarted("call-1", "shell", "true", Optional.of(Duration.ofMinutes(2))));
  }

  @Test
  void a_repeated_prompt_opens_no_second_turn() {
    RecordingListener listener = new RecordingListener();
    Agent agent = start(listener, Optional.empty());
    agent.prompt(1, "$ sleep 0.2");
    agent.prompt(1, "$ sleep 0.2");
    listener.await(TurnEnded.class);
    agent.prompt(1, "$ sleep 0.2");
    agent.barrier("after");
    listener.await(BarrierPassed.class);
    assertThat(listener.all(TurnStarted.class)).hasSize(1);
    assertThat(listener.all(TurnEnded.class)).hasSize(1);
    assertThat(listener.all(PromptAccepted.class)).hasSize(3);
  }

  @Test
  void a_prompt_that_comes_too_early_opens_its_turn_after_the_running_one() {
    RecordingListener listener = new RecordingListener();
    Agent agent = start(listener, Optional.empty());
    agent.prompt(1, "$ sleep 0.2");
    agent.prompt(2, "$ true");
    listener.await(TurnEnded.class, _ -> true, 2);
    assertThat(listener.all(PromptInjected.class))
        .extracting(PromptInjected::turn)
        .containsExactly(1, 2);
  }

  // ---- questions

  @Test
  void a_question_waits_for_its_answer_and_a_yes_lets_the_command_run() {
    RecordingListener listener = new RecordingListener();
    Agent agent = start(listener, Optional.empty());
    agent.prompt(1, "? push\n$ true push\n$ true more");
    Asked asked = listener.await(Asked.class);
    assertThat(asked.question()).isEqualTo("push");
    agent.answer("ask-99", new AskAnswer.Allow());
    SteerId id = steerIn(agent, listener, "while you wait");
    assertThat(commands(listener)).isEmpty();
    agent.answer(asked.ask(), new AskAnswer.Allow());

    assertThat(listener.await(TurnEnded.class).text())
        .contains("done: 2 steps")
        .contains(id.value());
    assertThat(listener.all(AskClosed.class)).containsExactly(new AskClosed("ask-1", "allowed"));
  }

  @Test
  void a_no_leaves_the_command_out() {
    RecordingListener listener = new RecordingListener();
    Agent agent = start(listener, Optional.empty());
    agent.prompt(1, "? push\n$ true push\n$ true more");
    agent.answer(listener.await(Asked.class).ask(), new AskAnswer.Deny("not on Fridays"));
    listener.await(TurnEnded.class);
    assertThat(commands(listener)).containsExactly("true more");
    assertThat(listener.all(AskClosed.class))
        .containsExactly(new AskClosed("ask-1", "denied: not on Fridays"));
  }

  @Test
  void an_interrupt_closes_the_question() {
    RecordingListener listener = new RecordingListener();
    Agent agent = start(listener, Optional.empty());
    agent.prompt(1, "? push\n$ true push");
    listener.await(Asked.class);
    agent.interrupt();
    assertThat(listener.await(TurnEnded.class).how()).isEqualTo(TurnEnd.INTERRUPTED);
    assertThat(listener.all(AskClosed.class)).hasSize(1);
  }

  // ---- the end

  @Test
  void its_exit_is_the_last_event_and_checkpoints_never_go_back() {
    RecordingListener listener = new RecordingListener();
    Agent agent = start(listener, Optional.empty());
    agent.prompt(1, "$ true\n$ sleep 600");
    listener.await(ToolStarted.class, _ -> true, 2);
    agent.end(GRACE);
    listener.await(Exited.class);
    assertThat(listener.events().getLast()).isInstanceOf(Exited.class);
    assertThat(listener.all()).extracting(batch -> batch.upTo().offset()).isSorted();
    assertThat(agent.interrupt()).isEqualTo(WriteResult.EXITED);
  }
}
