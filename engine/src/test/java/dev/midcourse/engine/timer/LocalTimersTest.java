package dev.midcourse.engine.timer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.midcourse.engine.ManualClock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LocalTimersTest {
  private final ManualClock clock = new ManualClock();
  private final List<String> called = new CopyOnWriteArrayList<>();
  private LocalTimers timers;
  private Instant start;

  @BeforeEach
  void open() {
    clock.stop();
    start = clock.instant();
    timers = new LocalTimers(clock);
  }

  @AfterEach
  void close() {
    timers.close();
  }

  private void set(String name, Duration after, String call) {
    timers.at(name, start.plus(after), () -> called.add(call));
  }

  private void move(Duration by) {
    clock.move(by);
    timers.followClock();
  }

  /** Sets a timer that is due, and waits for its call: earlier ones would have come before. */
  private void awaitOneMore() {
    CountDownLatch latch = new CountDownLatch(1);
    timers.at("one more", clock.instant(), latch::countDown);
    await().atMost(Duration.ofSeconds(60)).until(() -> latch.getCount() == 0);
  }

  /** Seen to fail when a timer is kept beside the one that replaces it. */
  @Test
  void a_timer_calls_its_task_at_its_time_and_not_before() {
    set("a", Duration.ofMinutes(10), "a");
    move(Duration.ofMinutes(9));
    awaitOneMore();
    assertThat(called).isEmpty();
    move(Duration.ofMinutes(1));
    await().atMost(Duration.ofSeconds(60)).until(() -> called.equals(List.of("a")));
    move(Duration.ofMinutes(60));
    awaitOneMore();
    assertThat(called).containsExactly("a");
  }

  @Test
  void a_time_that_has_passed_is_called_at_once() {
    set("a", Duration.ofDays(-400_000), "a");
    await().atMost(Duration.ofSeconds(60)).until(() -> called.equals(List.of("a")));
  }

  @Test
  void a_time_in_a_million_days_can_be_set() {
    set("a", Duration.ofDays(1_000_000), "a");
    awaitOneMore();
    assertThat(called).isEmpty();
  }

  /** Seen to fail when a timer is kept beside the one that replaces it. */
  @Test
  void a_timer_of_the_same_name_replaces_the_earlier_one() {
    set("a", Duration.ofMinutes(1), "first");
    set("a", Duration.ofMinutes(2), "second");
    move(Duration.ofMinutes(1));
    awaitOneMore();
    assertThat(called).isEmpty();
    move(Duration.ofMinutes(1));
    await().atMost(Duration.ofSeconds(60)).until(() -> called.equals(List.of("second")));
  }

  @Test
  void a_cancelled_timer_is_not_called() {
    set("a", Duration.ofMinutes(1), "a");
    timers.cancel("a");
    timers.cancel("unknown");
    move(Duration.ofMinutes(1));
    awaitOneMore();
    assertThat(called).isEmpty();
  }

  @Test
  void a_task_that_fails_or_blocks_delays_no_other() {
    CountDownLatch blocked = new CountDownLatch(1);
    timers.at(
        "fails",
        start,
        () -> {
          throw new IllegalStateException("on purpose");
        });
    timers.at(
        "blocks",
        start,
        () -> {
          try {
            blocked.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
    set("a", Duration.ZERO, "a");
    await().atMost(Duration.ofSeconds(60)).until(() -> called.equals(List.of("a")));
    blocked.countDown();
  }

  @Test
  void a_task_can_set_its_own_timer_again() {
    timers.at(
        "a",
        start,
        () -> {
          called.add("first");
          set("a", Duration.ZERO, "second");
        });
    await().atMost(Duration.ofSeconds(60)).until(() -> called.equals(List.of("first", "second")));
  }

  @Test
  void nothing_is_called_after_the_close() {
    set("a", Duration.ofMinutes(1), "a");
    timers.close();
    move(Duration.ofMinutes(1));
    set("b", Duration.ZERO, "b");
    assertThat(called).isEmpty();
  }
}
