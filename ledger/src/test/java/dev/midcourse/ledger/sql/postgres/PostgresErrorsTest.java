package dev.midcourse.ledger.sql.postgres;

import static dev.midcourse.ledger.sql.SchemaSuite.unavailable;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.midcourse.core.event.RunEvent;
import dev.midcourse.core.id.RunId;
import dev.midcourse.ledger.Ledger;
import dev.midcourse.ledger.Log.Filter;
import dev.midcourse.ledger.sql.CuttingProxy;
import dev.midcourse.ledger.sql.CuttingProxy.Cut;
import dev.midcourse.ledger.sql.OneReadPerCall;
import dev.midcourse.ledger.sql.Place;
import dev.midcourse.ledger.sql.PostgresLedger;
import dev.midcourse.ledger.sql.TestPostgres;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The ledger when PostgreSQL, or the connection to it, is unavailable for a short time or for ever.
 */
class PostgresErrorsTest {
  private static final RunId RUN = RunId.of("r");
  private static final int READERS = 6;
  private static final Duration LONG = Duration.ofSeconds(10);
  private static final String END_ALL =
      """
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE application_name = 'midcourse' AND pid <> pg_backend_pid()
      """;

  private final Place place = TestPostgres.newPlace();

  /** Seen to fail when PostgresServer leaves synchronous_commit as the role has it. */
  @Test
  void a_commit_is_on_the_disk_before_it_is_reported_whatever_the_server_does_by_itself()
      throws Exception {
    String user = "hasty_" + place.url().replaceAll(".*_", "");
    place.execute("CREATE ROLE " + user + " SUPERUSER LOGIN");
    place.execute("ALTER ROLE " + user + " SET synchronous_commit = off");
    try (Connection connection = new PostgresServer(place.url(), user, "", LONG).connect();
        ResultSet answer = connection.createStatement().executeQuery("SHOW synchronous_commit")) {
      answer.next();
      assertThat(answer.getString(1)).isEqualTo("on");
    }
  }

  @Test
  void connections_that_died_while_idle_are_replaced_before_anyone_notices() {
    try (Ledger ledger = place.open()) {
      note(ledger, "before");
      assertThat(OneReadPerCall.each(() -> ledger).liveRuns()).isEmpty();
      place.execute(END_ALL);
      note(ledger, "after");
      assertThat(OneReadPerCall.each(() -> ledger).liveRuns()).isEmpty();
      assertThat(ledger.log().newest()).isEqualTo(2);
    }
  }

  /** Seen to fail when a look that found a dead connection takes the next one of the pool. */
  @Test
  void many_readers_connections_that_died_at_once_are_replaced_before_anyone_notices()
      throws Exception {
    try (Ledger ledger = place.open();
        ExecutorService readers = Executors.newVirtualThreadPerTaskExecutor()) {
      CyclicBarrier all = new CyclicBarrier(READERS);
      List<Future<Integer>> looks = new ArrayList<>();
      for (int i = 0; i < READERS; i++) {
        looks.add(
            readers.submit(() ->
                ledger.read(reading -> {
                  meet(all);
                  return reading.liveRuns().size();
                })));
      }
      for (Future<Integer> look : looks) {
        assertThat(look.get()).isZero();
      }
      place.execute(END_ALL);
      assertThat(OneReadPerCall.each(() -> ledger).liveRuns()).isEmpty();
    }
  }

  @Test
  void a_connection_that_dies_during_a_work_refuses_it_and_nothing_is_half_there() {
    try (Ledger ledger = place.open()) {
      note(ledger, "before");
      assertThatThrownBy(() ->
              ledger.write(tx -> {
                tx.putSetting("half", "there");
                place.execute(END_ALL);
                tx.putSetting("other", "half");
                return true;
              }))
          .satisfies(unavailable("PostgreSQL cannot be reached", "nothing was changed"));
      note(ledger, "after");
      assertThat(OneReadPerCall.each(() -> ledger).setting("half")).isEmpty();
      assertThat(ledger.log().newest()).isEqualTo(2);
    }
  }

  /** Seen to fail when PostgreSQL's answer that got lost is taken for a failure. */
  @Test
  void t15_a_commit_whose_answer_was_lost_is_looked_up_and_reported_as_done() throws Exception {
    try (CuttingProxy proxy = new CuttingProxy(TestPostgres.port());
        Ledger ledger = through(proxy).open()) {
      proxy.cutNext(Cut.BEFORE_ITS_ANSWER);
      note(ledger, "once");
      note(ledger, "twice");
      assertThat(place.ask("SELECT body FROM events ORDER BY cursor"))
          .containsExactly("{\"text\":\"once\"}", "{\"text\":\"twice\"}");
      assertThat(ledger.log().after(0, Filter.ALL, 9).entries()).hasSize(2);
    }
  }

  @Test
  void a_commit_that_never_reached_the_server_is_refused() throws Exception {
    try (CuttingProxy proxy = new CuttingProxy(TestPostgres.port());
        Ledger ledger = through(proxy).open()) {
      proxy.cutNext(Cut.BEFORE_THE_COMMIT);
      assertThatThrownBy(() -> note(ledger, "lost"))
          .satisfies(unavailable("PostgreSQL cannot be reached"));
      note(ledger, "kept");
      assertThat(place.ask("SELECT body FROM events")).containsExactly("{\"text\":\"kept\"}");
    }
  }

  @Test
  void a_process_that_locks_the_ledger_for_too_long_is_named_as_the_cause() throws Exception {
    try (Ledger ledger = PostgresLedger.open(place.url(), "postgres", "", Duration.ofMillis(300));
        Connection other = DriverManager.getConnection(place.url())) {
      other.setAutoCommit(false);
      other.createStatement().execute("SELECT value FROM counters FOR UPDATE");
      assertThatThrownBy(() -> note(ledger, "waits"))
          .satisfies(unavailable("another host has locked the ledger"));
      other.rollback();
      note(ledger, "goes on");
      assertThat(ledger.log().newest()).isEqualTo(1);
    }
  }

  @Test
  void a_server_that_only_reads_is_refused() {
    place.open().close();
    String readOnly = place.url() + "&options=-c%20default_transaction_read_only=on";
    try (Ledger ledger = PostgresLedger.open(readOnly, "postgres", "")) {
      assertThatThrownBy(() -> note(ledger, "x")).satisfies(unavailable("read-only", "primary"));
    } catch (RuntimeException atOnce) {
      assertThat(atOnce).satisfies(unavailable("read-only", "primary"));
    }
  }

  @Test
  void a_server_that_is_not_there_or_has_no_such_database_is_refused() {
    assertThatThrownBy(
            () -> PostgresLedger.open("jdbc:postgresql://127.0.0.1:1/x", "postgres", "secret"))
        .satisfies(unavailable("PostgreSQL cannot be reached"))
        .message()
        .doesNotContain("secret");
    String missing = TestPostgres.url().replace("/postgres?", "/nothing_here?");
    assertThatThrownBy(() -> PostgresLedger.open(missing, "postgres", ""))
        .satisfies(unavailable("does not exist"));
    assertThatThrownBy(() -> PostgresLedger.open("jdbc:mysql://x/y", "postgres", ""))
        .satisfies(unavailable("jdbc:postgresql:"));
  }

  @Tag("slow")
  @Test
  void a_server_that_comes_back_is_used_again(@TempDir Path data) throws Exception {
    EmbeddedPostgres.Builder kept =
        EmbeddedPostgres.builder().setDataDirectory(data).setCleanDataDirectory(false);
    EmbeddedPostgres first = kept.start();
    String url = first.getJdbcUrl("postgres", "postgres") + "&unsynced=accepted";
    try (Ledger ledger = PostgresLedger.open(url, "postgres", "")) {
      note(ledger, "before");
      first.close();
      assertThatThrownBy(() -> note(ledger, "meanwhile"))
          .satisfies(unavailable("PostgreSQL cannot be reached"));
      assertThatThrownBy(() -> ledger.read(r -> r.liveRuns()))
          .satisfies(unavailable("PostgreSQL cannot be reached"));
      try (EmbeddedPostgres again = kept.setPort(first.getPort()).start()) {
        note(ledger, "after");
        assertThat(again.getPort()).isEqualTo(first.getPort());
        assertThat(ledger.log().after(0, Filter.ALL, 9).entries()).hasSize(2);
      }
    }
  }

  private Place through(CuttingProxy proxy) {
    String url = place.url().replace(":" + TestPostgres.port() + "/", ":" + proxy.port() + "/");
    return new Place.Postgres(url, "postgres");
  }

  private static void meet(CyclicBarrier all) {
    try {
      all.await(30, TimeUnit.SECONDS);
    } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void note(Ledger ledger, String text) {
    ledger.write(tx -> {
      tx.append(RUN, Instant.EPOCH, new RunEvent.Noted(text));
      return true;
    });
  }
}
