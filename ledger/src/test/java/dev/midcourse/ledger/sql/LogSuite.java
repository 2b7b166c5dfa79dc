package dev.midcourse.ledger.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.midcourse.core.event.EventKind;
import dev.midcourse.core.event.RunEvent;
import dev.midcourse.core.id.RunId;
import dev.midcourse.ledger.Ledger;
import dev.midcourse.ledger.Ledger.Priority;
import dev.midcourse.ledger.Log.Filter;
import dev.midcourse.ledger.Log.LogEntry;
import dev.midcourse.ledger.Log.Page;
import dev.midcourse.ledger.Transaction;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** What every store promises of its log: every entry once and in order, to everyone who listens. */
abstract class LogSuite extends StoreSuite {
  private static final Duration LONG = Duration.ofSeconds(30);
  private static final Duration SHORT = Duration.ofMillis(20);

  @Test
  void every_kind_of_event_is_kept_with_its_time_its_run_and_its_fields() {
    List<RunEvent> events = new ArrayList<>();
    for (Class<?> kind : RunEvent.kinds()) {
      for (int i = 0; i < 3; i++) {
        events.add((RunEvent) any.any(kind));
      }
    }
    RunId run = RunId.of("all-kinds");
    Instant at = any.time();
    ledger.write(tx -> {
      events.forEach(event -> tx.append(run, at, event));
      return true;
    });
    List<LogEntry> live = ledger.log().after(0, Filter.ALL, 1_000).entries();
    assertThat(live)
        .extracting(LogEntry::kind)
        .isEqualTo(events.stream().map(EventKind::of).toList());
    assertThat(live).allMatch(entry -> entry.at().equals(at) && entry.run().equals(run));
    assertThat(live).extracting(LogEntry::json).allMatch(json -> json.startsWith("{"));
    assertThat(live).extracting(LogEntry::event).isEqualTo(events);
    reopen();
    assertThat(ledger.log().after(0, Filter.ALL, 1_000).entries()).isEqualTo(live);
  }

  @Test
  void text_that_no_store_can_keep_is_cleaned_and_not_refused() {
    String halfEmoji = "cut \uD83D and \uDE00 and nul \0 end 😀";
    note(RunId.of("r"), halfEmoji);
    List<LogEntry> live = ledger.log().after(0, Filter.ALL, 9).entries();
    reopen();
    assertThat(ledger.log().after(0, Filter.ALL, 9).entries()).isEqualTo(live);
    assertThat(live.getFirst().json())
        .isEqualTo("{\"text\":\"cut \uFFFD and \uFFFD and nul \\u0000 end 😀\"}");
  }

  @Test
  void cursors_continue_where_they_were_when_the_clock_goes_back() {
    Instant now = any.time();
    RunId run = RunId.of("r");
    for (int i = 0; i < 5; i++) {
      Instant earlier = now.minusSeconds(i * 3_600L);
      ledger.write(tx -> {
        tx.append(run, earlier, new RunEvent.Noted(""));
        return true;
      });
      reopen();
    }
    List<LogEntry> all = ledger.log().after(0, Filter.ALL, 9).entries();
    assertThat(all).extracting(LogEntry::cursor).containsExactly(1L, 2L, 3L, 4L, 5L);
    assertThat(all.getLast().at()).isEqualTo(now.minusSeconds(4 * 3_600L));
  }

  /** Seen to fail when the next cursor is that of the last entry that passed the filter. */
  @Test
  void t39_a_page_goes_past_what_the_filter_held_back() {
    RunId mine = RunId.of("mine");
    RunId other = RunId.of("other");
    note(mine, "1");
    note(other, "2");
    note(other, "3");
    note(mine, "4");
    note(other, "5");
    for (int i = 0; i < 2; i++) {
      Page first = ledger.log().after(0, Filter.of(mine), 1);
      assertThat(first.entries()).extracting(LogEntry::cursor).containsExactly(1L);
      assertThat(first.next()).isEqualTo(1);
      Page second = ledger.log().after(first.next(), Filter.of(mine), 9);
      assertThat(second.entries()).extracting(LogEntry::cursor).containsExactly(4L);
      assertThat(second.next()).isEqualTo(5);
      assertThat(ledger.log().after(5, Filter.ALL, 9)).isEqualTo(new Page(List.of(), 5));
      assertThat(ledger.log().after(77, Filter.ALL, 9)).isEqualTo(new Page(List.of(), 77));
      reopen();
    }
  }

  @Test
  void entries_can_be_chosen_by_kind_and_from_the_end() {
    RunId run = RunId.of("r");
    for (int i = 0; i < 10; i++) {
      note(run, "" + i);
      ledger.write(tx -> {
        tx.append(run, any.time(), new RunEvent.QuietOver(1));
        return true;
      });
    }
    Filter quiet = new Filter(Optional.of(run), Set.of("quiet_over", "never"));
    for (int i = 0; i < 2; i++) {
      assertThat(ledger.log().after(0, quiet, 99).entries()).hasSize(10);
      Page last = ledger.log().last(quiet, 3);
      assertThat(last.entries()).extracting(LogEntry::cursor).containsExactly(16L, 18L, 20L);
      assertThat(last.next()).isEqualTo(20);
      assertThat(ledger.log().last(Filter.ALL, 2).entries())
          .extracting(LogEntry::cursor)
          .containsExactly(19L, 20L);
      reopen();
    }
  }

  @Test
  void entries_beyond_the_cache_are_read_from_the_store() {
    RunId run = RunId.of("r");
    String big = "x".repeat(200_000);
    List<CompletableFuture<Boolean>> works = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      works.add(ledger.writeAsync(Priority.NORMAL, tx -> append(tx, run, big)));
    }
    for (int i = 0; i < 6_000; i++) {
      works.add(ledger.writeAsync(Priority.NORMAL, tx -> append(tx, run, "small")));
    }
    works.forEach(CompletableFuture::join);
    List<Long> cursors = new ArrayList<>();
    long cursor = 0;
    while (cursor < ledger.log().newest()) {
      Page page = ledger.log().after(cursor, Filter.ALL, 700);
      page.entries().forEach(entry -> cursors.add(entry.cursor()));
      cursor = page.next();
    }
    assertThat(cursors).hasSize(6_050).isSorted().doesNotHaveDuplicates();
  }

  @Test
  void a_listener_is_woken_by_a_commit_and_otherwise_when_its_time_is_over() throws Exception {
    assertThat(received(0, SHORT)).isFalse();
    try (ExecutorService others = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Boolean>> listening = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        listening.add(others.submit(() -> received(0, LONG)));
      }
      note(RunId.of("r"), "ring");
      for (Future<Boolean> listener : listening) {
        assertThat(listener.get()).isTrue();
      }
    }
    assertThat(received(0, Duration.ZERO)).as("already there").isTrue();
    assertThat(received(1, SHORT)).isFalse();
  }

  @Test
  void a_wait_for_a_run_gets_its_next_entry_and_none_of_others() throws Exception {
    Filter mine = Filter.of(RunId.of("mine"));
    assertThat(ledger.log().await(0, mine, 9, SHORT)).isEqualTo(new Page(List.of(), 0));
    try (ExecutorService others = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<Page> listening = others.submit(() -> ledger.log().await(0, mine, 9, LONG));
      note(RunId.of("other"), "not for me");
      note(RunId.of("mine"), "for me");
      assertThat(listening.get().entries())
          .singleElement()
          .satisfies(entry -> assertThat(entry.run()).isEqualTo(RunId.of("mine")));
    }
    Page late = ledger.log().await(0, mine, 9, Duration.ZERO);
    assertThat(late.entries()).as("already there").hasSize(1);
    note(RunId.of("other"), "not for me either");
    Page none = ledger.log().await(late.next(), mine, 9, SHORT);
    assertThat(none).as("past what was looked at").isEqualTo(new Page(List.of(), 3));
  }

  @Test
  void closing_lets_listeners_go() throws Exception {
    try (ExecutorService others = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<Boolean> listening = others.submit(() -> received(0, LONG));
      Future<Page> ofRun =
          others.submit(() -> ledger.log().await(0, Filter.of(RunId.of("r")), 1, LONG));
      ledger.close();
      assertThat(listening.get()).isFalse();
      assertThat(ofRun.get().entries()).isEmpty();
    }
  }

  @Test
  void a_page_without_room_is_a_mistake() {
    assertThatThrownBy(() -> ledger.log().after(0, Filter.ALL, 0))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** Seen to fail when GroupCommit tells what a work appended that failed. */
  @Test
  void t39_every_event_once_and_in_order_while_many_write_and_many_read() throws Exception {
    int writers = 8;
    int each = 150;
    try (ExecutorService all = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Integer>> writing = new ArrayList<>();
      for (int w = 0; w < writers; w++) {
        RunId run = RunId.of("writer-" + w);
        writing.add(all.submit(() -> writeAll(ledger, run, each)));
      }
      BooleanSupplier over = () -> writing.stream().allMatch(Future::isDone);
      List<Future<List<LogEntry>>> reading = new ArrayList<>();
      for (int limit : new int[] {1, 7, 100, 1_000}) {
        reading.add(all.submit(listener(Filter.ALL, limit, over)));
      }
      Future<List<LogEntry>> ofOne = all.submit(listener(Filter.of(RunId.of("writer-3")), 5, over));

      int kept = 0;
      for (Future<Integer> writer : writing) {
        kept += writer.get();
      }
      List<LogEntry> whole = reading.getFirst().get();
      assertThat(whole).hasSize(kept);
      for (int i = 0; i < whole.size(); i++) {
        assertThat(whole.get(i).cursor()).isEqualTo(i + 1L);
      }
      for (Future<List<LogEntry>> reader : reading) {
        assertThat(reader.get()).isEqualTo(whole);
      }
      assertThat(ofOne.get())
          .isEqualTo(
              whole.stream().filter(entry -> entry.run().value().equals("writer-3")).toList());
      for (int w = 0; w < writers; w++) {
        RunId run = RunId.of("writer-" + w);
        assertThat(whole.stream().filter(entry -> entry.run().equals(run)))
            .extracting(entry -> Integer.parseInt(entry.json().replaceAll("\\D", "")))
            .isSorted();
      }
    }
  }

  /** Every third work appends twice and every seventh fails; returns how many entries stayed. */
  static int writeAll(Ledger ledger, RunId run, int works) {
    int kept = 0;
    for (int i = 0; i < works; i++) {
      int number = i;
      try {
        kept +=
            ledger.write(tx -> {
              append(tx, run, "" + (number * 2));
              if (number % 3 == 0) {
                append(tx, run, "" + (number * 2 + 1));
              }
              if (number % 7 == 0) {
                throw new UnsupportedOperationException();
              }
              return number % 3 == 0 ? 2 : 1;
            });
      } catch (UnsupportedOperationException _) {
        // Nothing of it was kept.
      }
    }
    return kept;
  }

  private Callable<List<LogEntry>> listener(Filter filter, int limit, BooleanSupplier over) {
    return () -> {
      List<LogEntry> received = new ArrayList<>();
      long cursor = 0;
      while (true) {
        boolean last = over.getAsBoolean();
        Page page = ledger.log().await(cursor, filter, limit, SHORT);
        received.addAll(page.entries());
        if (last && page.next() == cursor) {
          return received;
        }
        cursor = page.next();
      }
    };
  }

  /** Whether there is something newer than the cursor, or comes in time. */
  private boolean received(long cursor, Duration atMost) throws InterruptedException {
    return !ledger.log().await(cursor, Filter.ALL, 1, atMost).entries().isEmpty();
  }

  private void note(RunId run, String text) {
    ledger.write(tx -> append(tx, run, text));
  }

  static boolean append(Transaction tx, RunId run, String text) {
    tx.append(run, Instant.EPOCH, new RunEvent.Noted(text));
    return true;
  }
}
