package dev.midcourse.ledger.sql.write;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.ledger.Ledger.Priority;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WriteQueueTest {
  private static final long LIMIT = WriteQueue.MAX_OVERTAKEN.toNanos();

  private final AtomicLong clock = new AtomicLong();
  private final WriteQueue queue = new WriteQueue(clock::get);

  @BeforeEach
  void queueFiftyLazyWrites() {
    for (int i = 0; i < 50; i++) {
      queue.put(task(Priority.LAZY));
    }
  }

  /** Seen to fail when the time is measured from the last steer. */
  @Test
  void lazy_writes_are_overdue_when_steers_have_passed_them_for_longer_than_the_limit() {
    clock.addAndGet(LIMIT);
    queue.put(task(Priority.STEER));
    queue.poll();
    assertThat(queue.overdue()).isZero();
    clock.incrementAndGet();
    assertThat(queue.overdue()).isEqualTo(GroupCommit.MAX_LAZY_TASKS);
  }

  @Test
  void a_lazy_write_that_was_taken_starts_the_time_again() {
    clock.addAndGet(LIMIT + 1);
    queue.nextOther();
    clock.addAndGet(LIMIT);
    assertThat(queue.overdue()).isZero();
    clock.incrementAndGet();
    assertThat(queue.overdue()).isPositive();
  }

  @Test
  void a_steer_is_taken_before_lazy_writes_that_came_before_it() {
    WriteTask<Boolean> steer = task(Priority.STEER);
    queue.put(steer);
    assertThat(queue.poll()).isSameAs(steer);
    assertThat(queue.pollUrgent()).as("only lazy writes are left").isNull();
  }

  /** Seen to fail when the newest steer goes first, and when a steer waits behind lazy writes. */
  @Test
  void steers_keep_their_order_and_all_pass_the_lazy_writes_within_the_limit() {
    List<WriteTask<Boolean>> steers =
        Stream.generate(() -> task(Priority.STEER)).limit(20).toList();
    steers.forEach(queue::put);
    clock.addAndGet(LIMIT);
    assertThat(queue.overdue()).isZero();
    steers.forEach(steer -> assertThat(queue.pollUrgent()).isSameAs(steer));
    assertThat(queue.pollUrgent()).isNull();
  }

  private static WriteTask<Boolean> task(Priority priority) {
    return new WriteTask<>(_ -> true, priority, false);
  }
}
