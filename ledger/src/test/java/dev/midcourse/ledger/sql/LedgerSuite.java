package dev.midcourse.ledger.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.event.EventKind;
import dev.midcourse.core.event.RunEvent;
import dev.midcourse.core.id.GroupName;
import dev.midcourse.core.id.IdempotencyKey;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.run.Ask;
import dev.midcourse.core.run.Attempt;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.TurnRecord;
import dev.midcourse.core.steer.Steer;
import dev.midcourse.ledger.DispatchKey;
import dev.midcourse.ledger.Ledger.Priority;
import dev.midcourse.ledger.Log.Filter;
import dev.midcourse.ledger.Log.LogEntry;
import dev.midcourse.ledger.StoreLock;
import dev.midcourse.ledger.Transaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/**
 * What every store promises: records come back as they went in, and works succeed or fail alone.
 */
abstract class LedgerSuite extends StoreSuite {
  @Test
  void every_run_comes_back_as_it_went_in() {
    for (int i = 0; i < 60; i++) {
      Run run = stored();
      assertThat(look.run(run.id())).contains(run);
      Run changed = stored(any.run(run.id()));
      assertThat(look.run(run.id())).contains(changed);
    }
  }

  /** Seen to fail when a column is left out of the statement that replaces a steer. */
  @Test
  void t40_every_steer_comes_back_as_it_went_in_and_again_when_replaced() {
    RunId run = stored().id();
    for (int i = 1; i <= 60; i++) {
      int seq = i;
      Steer steer = ledger.write(tx -> put(tx, any.steer(run, seq)));
      assertThat(look.steer(steer.id())).contains(steer);
      Steer like = any.steer(run, seq);
      Steer changed = Steers.like(like).id(steer.id()).steer();
      ledger.write(tx -> put(tx, changed));
      assertThat(look.steer(steer.id())).contains(changed);
    }
    assertThat(look.steers(run)).extracting(Steer::seq).isSorted().hasSize(60);
    assertThat(look.run(run).orElseThrow().steers()).isEqualTo(60);
  }

  @Test
  void every_attempt_turn_and_ask_comes_back_as_it_went_in() {
    RunId run = stored().id();
    for (int i = 1; i <= 30; i++) {
      for (int again = 0; again < 2; again++) {
        Attempt attempt = any.attempt(run, i);
        TurnRecord turn = any.turn(run, i);
        Ask ask = any.ask(run, "ask '" + i);
        ledger.write(tx -> {
          tx.put(attempt);
          tx.put(turn);
          tx.put(ask);
          assertThat(tx.turn(run, turn.number())).contains(turn);
          return true;
        });
        assertThat(look.attempt(run, attempt.number())).contains(attempt);
        assertThat(look.turn(run, turn.number())).contains(turn);
        assertThat(look.ask(run, ask.id())).contains(ask);
      }
    }
    assertThat(look.attempts(run)).hasSize(30);
    assertThat(look.turns(run)).extracting(TurnRecord::number).isSorted();
    assertThat(look.asks(run)).hasSize(30);
  }

  /** Seen to fail when the statement forgets the memo. */
  @Test
  void advancing_the_output_of_an_attempt_leaves_its_run_unchanged() {
    for (int i = 0; i < 30; i++) {
      Run run = stored();
      Attempt attempt = ledger.write(tx -> put(tx, any.attempt(run.id(), 1)));
      Attempt further = any.attempt(run.id(), 1);
      Run standing =
          ledger.write(tx -> {
            tx.storeOutput(further);
            return tx.run(run.id(), run.spec()).orElseThrow();
          });
      assertThat(standing).isEqualTo(run);
      assertThat(look.attempt(run.id(), 1))
          .contains(attempt.withOutput(further.offset(), further.memo()));
    }
    assertThat(ledger.<Optional<Run>>write(tx -> tx.run(RunId.of("none"), any.run().spec())))
        .isEmpty();
  }

  @Test
  void attempts_without_a_stored_end_are_found_by_their_host() {
    RunId run = stored().id();
    for (int i = 1; i <= 20; i++) {
      int number = i;
      ledger.write(tx -> put(tx, any.attempt(run, number)));
    }
    List<Attempt> all = look.attempts(run);
    for (Attempt of : all) {
      assertThat(look.unclosedAttempts(of.host()))
          .containsExactlyInAnyOrderElementsOf(
              all.stream()
                  .filter(a -> a.host().equals(of.host()) && a.endedAt().isEmpty())
                  .toList());
    }
  }

  @Test
  void the_key_of_a_dispatch_comes_back_as_it_went_in_and_is_stored_once() {
    Run run = stored();
    GroupName group = any.author().group();
    DispatchKey key =
        new DispatchKey(
            group, IdempotencyKey.of("k"), run.id(), Optional.of("the digest of a dispatch"));
    DispatchKey without =
        new DispatchKey(group, IdempotencyKey.of("l"), run.id(), Optional.empty());
    ledger.write(tx -> {
      tx.put(key);
      tx.put(without);
      assertThat(tx.dispatchKey(group, IdempotencyKey.of("k"))).contains(key);
      return true;
    });
    assertThat(look.dispatchKey(group, IdempotencyKey.of("k"))).contains(key);
    assertThat(look.dispatchKey(group, IdempotencyKey.of("l"))).contains(without);
    assertThat(look.dispatchKey(GroupName.of("another"), IdempotencyKey.of("k"))).isEmpty();
    assertThatThrownBy(() ->
            ledger.write(tx -> {
              tx.put(key);
              return true;
            }))
        .isInstanceOf(RuntimeException.class);
  }

  @Test
  void written_rows_are_there_after_reopening() {
    Run run = stored();
    ledger.write(tx -> {
      tx.append(run.id(), any.time(), new RunEvent.Noted("kept"));
      tx.putSetting("clock", "12");
      return true;
    });
    reopen();
    assertThat(look.run(run.id())).contains(run);
    assertThat(look.setting("clock")).contains("12");
    assertThat(ledger.log().newest()).isEqualTo(1);
    assertThat(ledger.log().after(0, Filter.ALL, 10).entries()).hasSize(1);
  }

  @Test
  void nothing_is_found_where_nothing_is() {
    RunId none = RunId.of("none");
    assertThat(look.run(none)).isEmpty();
    assertThat(look.steer(any.steerId())).isEmpty();
    assertThat(
            ledger.<Optional<Transaction.Addressed>>write(tx ->
                tx.addressed(none, any.author().group(), Optional.of(IdempotencyKey.of("k")))))
        .isEmpty();
    assertThat(look.openSteers(none)).isEmpty();
    assertThat(look.setting("x")).isEmpty();
    assertThat(look.liveRuns()).isEmpty();
    assertThat(ledger.log().newest()).isZero();
  }

  @Test
  void a_work_that_fails_leaves_neither_state_nor_event_and_its_neighbours_stay() {
    Run before = any.run();
    Run failing = any.run();
    Run after = any.run();
    CountDownLatch gate = new CountDownLatch(1);
    CompletableFuture<Boolean> holding = ledger.writeAsync(Priority.NORMAL, tx -> passed(gate));
    CompletableFuture<Boolean> first =
        ledger.writeAsync(Priority.NORMAL, tx -> put(tx, before, "before"));
    CompletableFuture<Boolean> second =
        ledger.writeAsync(
            Priority.NORMAL,
            tx -> {
              put(tx, failing, "failing");
              throw new UnsupportedOperationException("changed its mind");
            });
    CompletableFuture<Boolean> third =
        ledger.writeAsync(Priority.NORMAL, tx -> put(tx, after, "after"));
    gate.countDown();
    assertThat(holding.join() && first.join() && third.join()).isTrue();
    assertThatThrownBy(second::join)
        .isInstanceOf(CompletionException.class)
        .hasCauseInstanceOf(UnsupportedOperationException.class);
    assertThat(look.run(failing.id())).isEmpty();
    assertThat(look.run(before.id())).contains(before);
    assertThat(look.run(after.id())).contains(after);
    assertThat(ledger.log().after(0, Filter.ALL, 10).entries())
        .extracting(LogEntry::run)
        .containsExactly(before.id(), after.id());
    assertThat(ledger.log().after(0, Filter.ALL, 10).entries())
        .extracting(LogEntry::cursor)
        .containsExactly(1L, 2L);
  }

  @Test
  void a_work_alone_that_fails_leaves_nothing_and_its_exception_reaches_the_caller() {
    Run run = any.run();
    UnsupportedOperationException mine = new UnsupportedOperationException("no");
    assertThatThrownBy(() ->
            ledger.write(tx -> {
              put(tx, run, "gone");
              throw mine;
            }))
        .isSameAs(mine);
    assertThat(look.run(run.id())).isEmpty();
    assertThat(ledger.log().newest()).isZero();
    ledger.write(tx -> put(tx, run, "here"));
    assertThat(look.run(run.id())).contains(run);
  }

  @Test
  void a_work_sees_its_own_writes() {
    Run run = any.run();
    RunId id = run.id();
    ledger.write(tx -> {
      tx.put(run);
      assertThat(tx.run(id)).contains(run);
      tx.put(any.steer(id, 1));
      assertThat(tx.steers(id)).hasSize(1);
      assertThat(tx.run(id).orElseThrow().steers()).isEqualTo(1);
      tx.put(run);
      assertThat(tx.run(id).orElseThrow().steers()).as("not put back").isEqualTo(1);
      return true;
    });
  }

  /** Seen to fail when the index on group and key is not unique. */
  @Test
  void t14_one_key_belongs_to_one_steer_of_a_group() {
    RunId run = stored().id();
    Steer first = Steers.like(any.steer(run, 1)).key(IdempotencyKey.of("same")).steer();
    ledger.write(tx -> put(tx, first));
    Steer second =
        Steers.like(any.steer(run, 2))
            .author(first.author())
            .key(IdempotencyKey.of("same"))
            .steer();
    assertThatThrownBy(() -> ledger.write(tx -> put(tx, second)))
        .isInstanceOfSatisfying(
            RefusedException.class,
            e -> assertThat(e.problem().code()).isEqualTo(Code.KEY_CONFLICT));
    assertThat(
            ledger.<Optional<Transaction.Addressed>>write(
                tx -> tx.addressed(run, first.author().group(), first.key())))
        .contains(new Transaction.Addressed(look.run(run).orElseThrow(), Optional.of(first)));
    assertThat(look.steer(second.id())).isEmpty();
    assertThat(look.run(run).orElseThrow().steers()).isEqualTo(1);
  }

  @Test
  void a_task_that_hides_a_refused_statement_fails() {
    RunId run = stored().id();
    Steer first = Steers.like(any.steer(run, 1)).key(IdempotencyKey.of("same")).steer();
    ledger.write(tx -> put(tx, first));
    assertThatThrownBy(() ->
            ledger.write(tx -> {
              try {
                tx.put(Steers.like(first).id(any.steerId()).seq(2).steer());
              } catch (RefusedException hidden) {
                return false;
              }
              return true;
            }))
        .isInstanceOf(RefusedException.class);
  }

  @Test
  void a_closed_ledger_says_so() {
    ledger.close();
    assertThatThrownBy(() -> ledger.write(tx -> true)).isInstanceOf(RefusedException.class);
    assertThatThrownBy(() -> look.liveRuns()).isInstanceOf(RefusedException.class);
  }

  @Test
  void a_task_that_would_wait_for_itself_is_refused() {
    assertThatThrownBy(() -> ledger.write(tx -> ledger.write(inner -> true)))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void works_of_one_thread_are_done_in_the_order_they_were_handed_in() {
    RunId run = RunId.of("ordered");
    List<CompletableFuture<Boolean>> all = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      String text = "" + i;
      all.add(
          ledger.writeAsync(
              Priority.NORMAL,
              tx -> {
                tx.append(run, any.time(), new RunEvent.Noted(text));
                return true;
              }));
    }
    all.forEach(CompletableFuture::join);
    List<LogEntry> logged = ledger.log().after(0, Filter.ALL, 1_000).entries();
    assertThat(logged).hasSize(500);
    for (int i = 0; i < 500; i++) {
      assertThat(logged.get(i).json()).isEqualTo("{\"text\":\"" + i + "\"}");
      assertThat(logged.get(i).kind()).isEqualTo(EventKind.of(RunEvent.Noted.class));
    }
  }

  @Test
  void a_lock_has_one_holder_until_it_is_closed() {
    StoreLock lock = ledger.tryLock("poller").orElseThrow();
    assertThat(lock.isHeld()).isTrue();
    assertThat(ledger.tryLock("poller")).isEmpty();
    try (StoreLock other = ledger.tryLock("another").orElseThrow()) {
      assertThat(other.isHeld()).isTrue();
    }

    lock.close();
    assertThat(lock.isHeld()).isFalse();
    try (StoreLock next = ledger.tryLock("poller").orElseThrow()) {
      lock.close(); // must not take the lock from its next holder
      assertThat(next.isHeld()).isTrue();
      assertThat(ledger.tryLock("poller")).isEmpty();
    }
  }

  private boolean put(Transaction tx, Run run, String note) {
    tx.put(run);
    tx.append(run.id(), any.time(), new RunEvent.Noted(note));
    return true;
  }

  static Attempt put(Transaction tx, Attempt attempt) {
    tx.put(attempt);
    return attempt;
  }

  static Steer put(Transaction tx, Steer steer) {
    tx.put(steer);
    return steer;
  }
}
