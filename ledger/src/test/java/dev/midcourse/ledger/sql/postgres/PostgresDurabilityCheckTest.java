package dev.midcourse.ledger.sql.postgres;

import static dev.midcourse.ledger.sql.SchemaSuite.unavailable;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.midcourse.ledger.Ledger;
import dev.midcourse.ledger.sql.Place;
import dev.midcourse.ledger.sql.PostgresLedger;
import dev.midcourse.ledger.sql.TestPostgres;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A ledger is kept only where what was confirmed survives a power cut. */
class PostgresDurabilityCheckTest {
  private static final Duration LONG = Duration.ofSeconds(60);

  /** Seen to fail when the writer's connection is not checked. */
  @Test
  void a_server_that_does_not_sync_is_refused_with_what_to_do_about_it() {
    assertThatThrownBy(() -> PostgresLedger.open(TestPostgres.url(), "postgres", ""))
        .satisfies(unavailable("fsync off", "postgresql.conf", "unsynced=accepted"));
    assertThatThrownBy(
            () -> PostgresLedger.open(TestPostgres.url() + "&unsynced=maybe", "postgres", ""))
        .satisfies(unavailable("fsync off"));
  }

  @Test
  void a_server_without_sync_is_accepted_if_its_url_says_so() {
    Place place = TestPostgres.newPlace();
    assertThat(place.url()).contains("unsynced=accepted");
    place.open().close();
    assertThat(place.ask("SHOW fsync")).containsExactly("off");
  }

  /** Seen to fail when only fsync is looked at. */
  @Tag("slow")
  @Test
  void a_server_that_syncs_is_taken_until_it_writes_pages_by_halves() throws Exception {
    try (EmbeddedPostgres server =
        EmbeddedPostgres.builder().setServerConfig("fsync", "on").start()) {
      Place.Postgres place =
          new Place.Postgres(server.getJdbcUrl("postgres", "postgres"), "postgres");
      try (Ledger ledger = place.open()) {
        assertThat(ledger.log().newest()).isZero();
      }
      place.execute("ALTER SYSTEM SET full_page_writes = off");
      place.execute("SELECT pg_reload_conf()");
      await().atMost(LONG).until(() -> place.ask("SHOW full_page_writes").getFirst().equals("off"));
      assertThatThrownBy(place::open).satisfies(unavailable("full_page_writes off"));
    }
  }
}
