package dev.midcourse.ledger.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.authority.VisibleRuns;
import dev.midcourse.core.event.RunEvent;
import dev.midcourse.core.id.IdempotencyKey;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.steer.Author;
import dev.midcourse.core.steer.Steer;
import dev.midcourse.ledger.Ledger.Priority;
import dev.midcourse.ledger.Ledger.TransactionBody;
import dev.midcourse.ledger.Log.Filter;
import dev.midcourse.ledger.Log.LogEntry;
import dev.midcourse.ledger.Transaction;
import dev.midcourse.ledger.sql.jdbc.Dialect;
import dev.midcourse.ledger.sql.jdbc.SqlSession;
import dev.midcourse.ledger.sql.write.SqlTransaction;
import dev.midcourse.ledger.sql.write.WriteBatch;
import dev.midcourse.ledger.sql.write.WriteTask;
import dev.midcourse.ledger.sql.write.WriterConnection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Test;

/** What works owe each other that share a transaction: each goes as if it were alone. */
abstract class TogetherSuite extends StoreSuite {
  private static final Author AUTHOR = Author.person("together");

  /**
   * Seen to fail when statements that the store refuses as a batch are not sent again one by one.
   */
  @Test
  void a_steer_the_store_refuses_in_the_middle_takes_no_other_with_it() {
    RunId run = stored().id();
    Steer first = keyed(run, 1, "taken");
    List<TransactionBody<Boolean>> works = new ArrayList<>();
    works.add(tx -> told(tx, first));
    works.add(tx -> told(tx, keyed(run, 2, "second")));
    works.add(tx -> told(tx, keyed(run, 99, "taken")));
    works.add(tx -> told(tx, keyed(run, 3, "third")));
    works.add(tx -> told(tx, keyed(RunId.of("nowhere"), 1, "lost")));
    works.add(tx -> told(tx, keyed(run, 4, "fourth")));
    List<CompletableFuture<Boolean>> results = together(works);
    assertThatThrownBy(() -> results.get(2).join())
        .cause()
        .isInstanceOfSatisfying(
            RefusedException.class,
            refused -> assertThat(refused.problem().code()).isEqualTo(Code.KEY_CONFLICT));
    assertThatThrownBy(() -> results.get(4).join()).hasCauseInstanceOf(IllegalStateException.class);
    assertThat(results).filteredOn(CompletableFuture::isCompletedExceptionally).hasSize(2);
    assertThat(look.steers(run)).extracting(Steer::seq).containsExactly(1L, 2L, 3L, 4L);
    assertThat(look.steer(first.id())).contains(first);
    assertThat(log())
        .extracting(LogEntry::cursor, LogEntry::json)
        .containsExactly(entry(1, 1), entry(2, 2), entry(3, 3), entry(4, 4));
  }

  /** Seen to fail when a query runs before the changes that it concerns are flushed. */
  @Test
  void a_work_sees_what_the_works_before_it_have_changed() {
    Run run = any.run();
    RunId other = stored().id();
    Steer steer = keyed(run.id(), 1, "key");
    List<TransactionBody<Boolean>> works = new ArrayList<>();
    works.add(tx -> {
      tx.put(run);
      tx.putSetting("name", "value");
      return true;
    });
    works.add(tx -> tx.run(run.id()).equals(Optional.of(run)));
    works.add(tx -> tx.setting("name").equals(Optional.of("value")));
    works.add(tx -> told(tx, steer));
    works.add(tx ->
        tx.addressed(other, AUTHOR.group(), steer.key())
            .orElseThrow()
            .sameKey()
            .equals(Optional.of(steer)));
    works.add(tx -> told(tx, keyed(run.id(), 2, "next")));
    works.add(tx -> tx.run(run.id(), run.spec()).orElseThrow().steers() == 2);
    works.add(tx -> told(tx, keyed(run.id(), 3, "last")));
    works.add(tx -> tx.steersStartingWith("", new VisibleRuns.Everything(), 99).size() == 3);
    works.add(tx -> {
      tx.put(Steers.like(steer).seq(4).steer());
      return tx.steer(steer.id()).orElseThrow().seq() == 4;
    });
    assertThat(together(works)).extracting(CompletableFuture::join).containsOnly(true);
  }

  /** Seen to fail when the flushed changes of a failed task are kept. */
  @Test
  void a_work_that_failed_is_not_seen_by_the_next_whatever_it_had_asked() {
    RunId run = stored().id();
    List<TransactionBody<Boolean>> works = new ArrayList<>();
    works.add(tx -> told(tx, keyed(run, 1, "before")));
    works.add(tx -> {
      told(tx, keyed(run, 2, "untold"));
      throw new UnsupportedOperationException("changed its mind");
    });
    works.add(tx -> {
      told(tx, keyed(run, 2, "seen"));
      assertThat(tx.steers(run)).as("its own, and the one before").hasSize(2);
      told(tx, keyed(run, 3, "after that"));
      throw new UnsupportedOperationException("changed its mind late");
    });
    works.add(tx -> tx.run(run).orElseThrow().steers() == 1);
    works.add(tx -> {
      told(tx, keyed(run, 2, "seen"));
      assertThat(tx.run(run).orElseThrow().steers()).isEqualTo(2);
      return told(tx, keyed(run, 3, "before"));
    });
    works.add(tx -> tx.run(run).orElseThrow().steers() == 1);
    works.add(tx -> told(tx, keyed(run, 2, "seen")));
    List<CompletableFuture<Boolean>> results = together(works);
    assertThat(results)
        .extracting(CompletableFuture::isCompletedExceptionally)
        .containsExactly(false, true, true, false, true, false, false);
    assertThat(results.get(3).join() && results.get(5).join()).isTrue();
    assertThat(look.steers(run))
        .extracting(steer -> steer.key().orElseThrow().value())
        .containsExactly("before", "seen");
    assertThat(log()).hasSize(2);
  }

  /** Seen to fail when only the flushed changes of a task are rolled back, and not its queries. */
  @Test
  void a_question_the_store_refuses_fails_its_work_and_no_other() {
    RunId run = stored().id();
    List<TransactionBody<Boolean>> works = new ArrayList<>();
    works.add(tx -> told(tx, keyed(run, 1, "before")));
    works.add(TogetherSuite::hidesWhatIsRefused);
    works.add(tx -> tx.run(run).orElseThrow().steers() == 1);
    works.add(tx -> {
      hidesWhatIsRefused(tx);
      return told(tx, keyed(run, 2, "never"));
    });
    works.add(tx -> told(tx, keyed(run, 2, "after")));
    works.add(tx -> {
      hidesWhatIsRefused(tx);
      return tx.steers(run).isEmpty();
    });
    List<CompletableFuture<Boolean>> results = together(works);
    assertThat(results)
        .extracting(CompletableFuture::isCompletedExceptionally)
        .containsExactly(false, true, false, true, false, true);
    assertThat(look.steers(run))
        .extracting(steer -> steer.key().orElseThrow().value())
        .containsExactly("before", "after");
  }

  @Test
  void steers_that_come_together_get_one_sequence_for_each_run() {
    List<RunId> runs = List.of(stored().id(), stored().id(), stored().id());
    List<TransactionBody<Boolean>> works = new ArrayList<>();
    for (int i = 0; i < 120; i++) {
      RunId run = runs.get(i % runs.size());
      IdempotencyKey key = IdempotencyKey.of("key-" + i);
      works.add(tx -> {
        Transaction.Addressed addressed =
            tx.addressed(run, AUTHOR.group(), Optional.of(key)).orElseThrow();
        assertThat(addressed.sameKey()).isEmpty();
        return told(tx, keyed(run, addressed.run().steers() + 1, key.value()));
      });
    }
    assertThat(together(works)).extracting(CompletableFuture::join).containsOnly(true);
    for (RunId run : runs) {
      assertThat(look.steers(run)).extracting(Steer::seq).hasSize(40).endsWith(40L);
    }
  }

  @Test
  void a_transaction_without_changes_is_answered() {
    assertThat(together(List.of(tx -> tx.liveRuns().isEmpty(), tx -> tx.countRuns().isEmpty())))
        .extracting(CompletableFuture::join)
        .containsOnly(true);
    assertThat(log()).isEmpty();
  }

  /** Does these in one transaction, as the writer does with what waits; all of them have ended. */
  private List<CompletableFuture<Boolean>> together(List<TransactionBody<Boolean>> works) {
    List<WriteTask<Boolean>> pieces =
        works.stream().map(work -> new WriteTask<>(work, Priority.NORMAL, true)).toList();
    Dialect dialect = place.dialect();
    try (SqlSession on = new SqlSession(dialect.connectToWrite(), dialect)) {
      WriteBatch batch = new WriteBatch(dialect, new WriterConnection(dialect, on).begin());
      pieces.forEach(batch::perform);
      batch.commit();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    pieces.forEach(WriteTask::settle);
    return pieces.stream().map(WriteTask::promise).toList();
  }

  private List<LogEntry> log() {
    return ledger.log().last(Filter.ALL, 99).entries();
  }

  private static boolean hidesWhatIsRefused(Transaction tx) {
    try {
      return ((SqlTransaction) tx).on.number("SELECT no_such_column FROM runs") == 0;
    } catch (IllegalStateException hidden) {
      return false;
    }
  }

  private Steer keyed(RunId run, long seq, String key) {
    return Steers.like(any.steer(run, seq)).author(AUTHOR).key(IdempotencyKey.of(key)).steer();
  }

  private static boolean told(Transaction tx, Steer steer) {
    tx.put(steer);
    tx.append(steer.run(), Instant.EPOCH, new RunEvent.Noted("" + steer.seq()));
    return true;
  }

  private static Tuple entry(long cursor, long seq) {
    return tuple(cursor, "{\"text\":\"" + seq + "\"}");
  }
}
