package dev.midcourse.engine;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.midcourse.agents.Agent;
import dev.midcourse.core.steer.Author;
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
}
