package dev.midcourse.ledger.sql.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.midcourse.core.id.RunId;
import dev.midcourse.ledger.Log.Filter;
import dev.midcourse.ledger.Log.LogEntry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LogSubscribersTest {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final Duration WAIT = Duration.ofMillis(2_500);
  private static final Duration FOREVER = Duration.ofDays(1);
  private static final RunId MINE = RunId.of("mine");
  private static final RunId OTHER = RunId.of("other");

  private final LogSubscribers subscribers = new LogSubscribers();

  /** Has woken its listeners when {@code ring} returns. */
  private final LogSubscribers immediate = new LogSubscribers(Runnable::run);

  /** Seen to fail when every commit wakes every subscriber. */
  @Test
  void an_event_of_another_run_wakes_no_subscriber_of_this_run() {
    try (LogSubscribers.Listener mine = immediate.listen(Filter.of(MINE));
        LogSubscribers.Listener all = immediate.listen(Filter.ALL)) {
      immediate.wake(List.of(entry(OTHER)));
      assertThat(all.woken()).isTrue();
      assertThat(mine.woken()).isFalse();

      immediate.wake(List.of(entry(OTHER), entry(MINE)));
      assertThat(mine.woken()).isTrue();
      mine.listen();
      assertThat(mine.woken()).isFalse();
    }
  }

  @Test
  void a_subscriber_that_comes_after_another_has_left_is_woken() throws Exception {
    subscribers.listen(Filter.of(MINE)).close();
    try (LogSubscribers.Listener first = subscribers.listen(Filter.of(MINE));
        LogSubscribers.Listener second = subscribers.listen(Filter.of(MINE))) {
      first.close();
      subscribers.wake(List.of(entry(MINE)));
      second.await(LONG.toNanos());
      assertThat(second.woken()).isTrue();
    }
  }

  /** Seen to fail when a subscriber of some kinds is woken by every entry. */
  @Test
  void an_event_of_another_kind_wakes_no_subscriber() {
    Filter ends = new Filter(Optional.empty(), Set.of("run_ended"));
    Filter words = new Filter(Optional.empty(), Set.of("said", "run_ended"));
    try (LogSubscribers.Listener toEnds = immediate.listen(ends);
        LogSubscribers.Listener toWords = immediate.listen(words)) {
      immediate.wake(List.of(entry(MINE)));
      assertThat(toWords.woken()).isTrue();
      assertThat(toEnds.woken()).isFalse();

      immediate.wake();
      assertThat(toEnds.woken()).as("what other hosts did may be of any kind").isTrue();
    }
  }

  /** Seen to fail when our own entry wakes only the subscribers of its kind. */
  @Test
  void a_commit_of_another_host_just_before_ours_wakes_its_subscribers() throws Exception {
    LogTailCache tail = new LogTailCache(9);
    try (LogSubscribers.Listener toSteers =
        tail.listen(new Filter(Optional.empty(), Set.of("steer_stored")))) {
      List<LogEntry> ours = List.of(new LogEntry(11, Instant.EPOCH, MINE, "said", "{}"));
      assertThat(tail.take(ours)).isTrue();
      tail.tell(ours);
      toSteers.await(LONG.toNanos());
      assertThat(toSteers.woken()).as("entry 10 may be a steer").isTrue();
    }
  }

  /**
   * Seen to fail when the clock does not wake subscribers whose time is nearly over, and when it
   * stops after the first time without subscribers.
   */
  @Test
  void a_long_wait_without_events_ends_at_its_timeout() throws Exception {
    for (int i = 0; i < 2; i++) {
      try (LogSubscribers.Listener mine = subscribers.listen(Filter.of(MINE))) {
        CompletableFuture<Duration> waited = new CompletableFuture<>();
        Thread.startVirtualThread(() -> waited.complete(waited(mine, WAIT)));
        assertThat(waited.get(LONG.toSeconds(), TimeUnit.SECONDS)).isGreaterThanOrEqualTo(WAIT);
        assertThat(mine.woken()).isFalse();
      }
      await().atMost(LONG).until(() -> !subscribers.ticks());
    }
  }

  @Test
  void an_interrupted_wait_ends_at_once() throws Exception {
    try (LogSubscribers.Listener mine = subscribers.listen(Filter.of(MINE))) {
      CompletableFuture<Duration> waited = new CompletableFuture<>();
      Thread waiting = Thread.startVirtualThread(() -> waited.complete(waited(mine, FOREVER)));
      waiting.interrupt();
      assertThat(waited.get(LONG.toSeconds(), TimeUnit.SECONDS)).isLessThan(FOREVER);
    }
  }

  private static Duration waited(LogSubscribers.Listener listener, Duration atMost) {
    long began = System.nanoTime();
    try {
      listener.await(atMost.toNanos());
    } catch (InterruptedException told) {
      Thread.currentThread().interrupt();
    }
    return Duration.ofNanos(System.nanoTime() - began);
  }

  private static LogEntry entry(RunId run) {
    return new LogEntry(1, Instant.EPOCH, run, "said", "{}");
  }
}
