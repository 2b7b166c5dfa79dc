package dev.midcourse.hub.mailbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class UnansweredTasksTest {
  private static final Optional<String> OTHER = Optional.of("answered before");

  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1); // it may overflow
  private final UnansweredTasks tasks = new UnansweredTasks(nanos::get);

  @Test
  void a_receipt_waits_for_the_answer_to_its_own_task() {
    tasks.add("own");
    assertThat(tasks.delaysReceipt(Optional.of("own"))).isTrue();
    assertThat(tasks.delaysReceipt(OTHER)).isFalse();
    assertThat(tasks.delaysReceipt(Optional.empty())).isFalse();
    tasks.answered("own");
    assertThat(tasks.delaysReceipt(Optional.of("own"))).isFalse();
  }

  /** Seen to fail when the burst is taken out of delaysReceipt. */
  @Test
  void every_receipt_waits_during_a_burst_of_tasks() {
    addBurst();
    assertThat(tasks.delaysReceipt(OTHER)).isTrue();
    assertThat(tasks.delaysReceipt(Optional.empty())).isTrue();
    tasks.answered("task 0");
    assertThat(tasks.delaysReceipt(OTHER)).isFalse();
    tasks.add("one more");
    assertThat(tasks.delaysReceipt(OTHER)).isTrue();
  }

  /** Seen to fail when the time of a burst has no limit. */
  @Test
  void a_burst_that_does_not_end_delays_receipts_only_for_some_time() {
    addBurst();
    nanos.addAndGet(UnansweredTasks.MAX_BURST.toNanos() - 1);
    tasks.add("one more");
    assertThat(tasks.delaysReceipt(OTHER)).isTrue();
    nanos.addAndGet(1);
    assertThat(tasks.delaysReceipt(OTHER)).isFalse();
    assertThat(tasks.delaysReceipt(Optional.of("task 1"))).isTrue();
  }

  private void addBurst() {
    IntStream.range(0, UnansweredTasks.BURST).forEach(i -> tasks.add("task " + i));
  }
}
