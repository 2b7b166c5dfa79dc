package dev.midcourse.engine.attempt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.midcourse.agents.AgentEventBatch;
import dev.midcourse.agents.AgentEventBatch.OutputCheckpoint;
import dev.midcourse.core.agent.AgentEvent;
import dev.midcourse.core.run.AskAnswer;
import dev.midcourse.core.steer.Author;
import java.util.Collections;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SupervisorMailboxTest {
  private final SupervisorMailbox mailbox = new SupervisorMailbox();

  private CompletableFuture<Void> reply() {
    CompletableFuture<Void> done = new CompletableFuture<>();
    mailbox.put(
        new SupervisorMessage.AnswerQuestion(
            "ask-1", new AskAnswer.Allow(), Author.person("test"), done));
    return done;
  }

  private static void assertSentBack(CompletableFuture<Void> answer) {
    assertThatThrownBy(() -> answer.get(30, TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(SupervisorMailbox.ClosedException.class);
  }

  @Test
  void a_message_that_the_supervisor_left_unread_is_returned() {
    CompletableFuture<Void> answer = reply();
    mailbox.close();
    assertSentBack(answer);
  }

  @Test
  void a_message_after_the_end_of_the_supervisor_is_returned() {
    mailbox.close();
    assertSentBack(reply());
  }

  @Test
  void an_agent_that_says_much_at_a_time_is_held_up_like_one_that_says_it_often() throws Exception {
    AgentEventBatch much =
        new AgentEventBatch(
            Collections.nCopies(5_000, new AgentEvent.Said("again")), OutputCheckpoint.START);
    mailbox.offerFromAgent(1, much);
    Thread talking = Thread.ofPlatform().start(() -> mailbox.offerFromAgent(1, much));
    await().until(() -> talking.getState() != Thread.State.RUNNABLE);

    assertThat(mailbox.take(Optional.empty())).hasSize(1);
    talking.join();
    assertThat(mailbox.take(Optional.empty())).hasSize(1);
  }
}
