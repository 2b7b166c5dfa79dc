package dev.midcourse.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.midcourse.agents.Agent;
import dev.midcourse.agents.Heard;
import dev.midcourse.agents.Heard.Place;
import dev.midcourse.core.agent.AgentEvent;
import dev.midcourse.core.steer.Author;
import java.util.Collections;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SlotTest {
  private final Slot slot = new Slot();

  private CompletableFuture<Void> reply() {
    CompletableFuture<Void> done = new CompletableFuture<>();
    slot.put(new Letter.Reply("ask-1", new Agent.Answer.Allow(), Author.person("test"), done));
    return done;
  }

  private static void assertSentBack(CompletableFuture<Void> answer) {
    assertThatThrownBy(() -> answer.get(30, TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(Slot.Gone.class);
  }

  @Test
  void a_letter_that_the_supervisor_left_unread_is_sent_back() {
    CompletableFuture<Void> answer = reply();
    slot.close();
    assertSentBack(answer);
  }

  @Test
  void a_letter_that_comes_after_the_supervisor_has_gone_is_sent_back() {
    slot.close();
    assertSentBack(reply());
  }

  @Test
  void an_agent_that_says_much_at_a_time_is_held_up_like_one_that_says_it_often() throws Exception {
    Heard much = new Heard(Collections.nCopies(5_000, new AgentEvent.Said("again")), Place.START);
    slot.fromAgent(1, much);
    Thread talking = Thread.ofPlatform().start(() -> slot.fromAgent(1, much));
    await().until(() -> talking.getState() != Thread.State.RUNNABLE);

    assertThat(slot.take(Optional.empty())).hasSize(1);
    talking.join();
    assertThat(slot.take(Optional.empty())).hasSize(1);
  }
}
