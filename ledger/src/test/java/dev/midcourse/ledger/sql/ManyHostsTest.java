package dev.midcourse.ledger.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.midcourse.core.id.RunId;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.steer.Steer;
import dev.midcourse.ledger.Ledger;
import dev.midcourse.ledger.Log.Filter;
import dev.midcourse.ledger.Log.LogEntry;
import dev.midcourse.ledger.Log.Page;
import dev.midcourse.ledger.StoreLock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Several hosts on one PostgreSQL: one order of all events, and every host receives them. */
class ManyHostsTest {
  private static final Duration LONG = Duration.ofSeconds(30);

  private final Arbitrary any = Arbitrary.seeded();
  private final Place place = TestPostgres.newPlace();
  private final Ledger here = place.open();
  private final Ledger there = place.open();

  @AfterEach
  void close() {
    here.close();
    there.close();
  }

  @Test
  void a_listener_is_woken_by_what_another_host_commits() throws Exception {
    try (ExecutorService all = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<Page> listening = all.submit(() -> there.log().await(0, Filter.ALL, 1, LONG));
      here.write(tx -> LogSuite.append(tx, RunId.of("r"), "hello"));
      assertThat(listening.get().entries()).hasSize(1);
      assertThat(there.log().after(0, Filter.ALL, 9).entries())
          .isEqualTo(here.log().after(0, Filter.ALL, 9).entries())
          .hasSize(1);
    }
  }

  /** Seen to fail when the lock does not ask the server whether its connection still lives. */
  @Test
  void a_lock_is_free_for_other_hosts_when_its_connection_is_lost_and_its_holder_knows_it() {
    try (StoreLock lock = here.tryLock("poller").orElseThrow()) {
      assertThat(there.tryLock("poller")).isEmpty();
      place.execute("SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'");
      await().until(() -> !lock.isHeld());
    }
    try (StoreLock taken = there.tryLock("poller").orElseThrow()) {
      assertThat(taken.isHeld()).isTrue();
      assertThat(here.tryLock("poller")).isEmpty();
    }
  }

  @Test
  void every_host_gets_every_event_once_and_in_the_same_order() throws Exception {
    try (ExecutorService all = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Integer>> writing = new ArrayList<>();
      for (int w = 0; w < 8; w++) {
        Ledger ledger = w % 2 == 0 ? here : there;
        RunId run = RunId.of("writer-" + w);
        writing.add(all.submit(() -> LogSuite.writeAll(ledger, run, 60)));
      }
      BooleanSupplier over = () -> writing.stream().allMatch(Future::isDone);
      List<Future<List<LogEntry>>> listening = new ArrayList<>();
      for (int limit : new int[] {3, 50}) {
        listening.add(all.submit(listener(here, limit, over)));
        listening.add(all.submit(listener(there, limit, over)));
      }
      int kept = 0;
      for (Future<Integer> writer : writing) {
        kept += writer.get();
      }
      List<LogEntry> whole = listening.getFirst().get();
      assertThat(whole).hasSize(kept);
      for (int i = 0; i < whole.size(); i++) {
        assertThat(whole.get(i).cursor()).isEqualTo(i + 1L);
      }
      for (Future<List<LogEntry>> listener : listening) {
        assertThat(listener.get()).isEqualTo(whole);
      }
    }
  }

  @Test
  void steers_for_one_run_taken_by_two_hosts_have_one_sequence() throws Exception {
    Run run = any.run();
    here.write(tx -> {
      tx.put(run);
      return true;
    });
    try (ExecutorService all = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Long>> taken = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        Ledger host = i % 2 == 0 ? here : there;
        Steer like = any.steer(run.id(), 1);
        taken.add(all.submit(() -> takenIn(host, like)));
      }
      List<Long> sequence = new ArrayList<>();
      for (Future<Long> one : taken) {
        sequence.add(one.get());
      }
      assertThat(sequence).doesNotHaveDuplicates();
      assertThat(sequence.stream().mapToLong(Long::longValue).max()).hasValue(100);
    }
    assertThat(there.read(r -> r.steers(run.id())).size()).isEqualTo(100);
  }

  private static long takenIn(Ledger host, Steer like) {
    return host.write(tx -> {
      long seq = tx.run(like.run()).orElseThrow().steers() + 1;
      tx.put(Steers.like(like).seq(seq).steer());
      return seq;
    });
  }

  private static Callable<List<LogEntry>> listener(Ledger ledger, int limit, BooleanSupplier over) {
    return () -> {
      List<LogEntry> received = new ArrayList<>();
      long cursor = 0;
      while (true) {
        boolean last = over.getAsBoolean();
        Duration timeout = last ? LONG.dividedBy(30) : Duration.ofMillis(20);
        Page page = ledger.log().await(cursor, Filter.ALL, limit, timeout);
        received.addAll(page.entries());
        if (last && page.next() == cursor) {
          return received;
        }
        cursor = page.next();
      }
    };
  }
}
