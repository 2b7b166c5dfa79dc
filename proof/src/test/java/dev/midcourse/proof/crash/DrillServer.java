package dev.midcourse.proof.crash;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;

/** A real PostgreSQL for one drill. */
record DrillServer(EmbeddedPostgres server) implements AutoCloseable {

  static DrillServer start() throws IOException {
    return new DrillServer(EmbeddedPostgres.builder().start());
  }

  DrillStore store() {
    return new DrillStore.Postgres(server.getJdbcUrl("postgres", "postgres"));
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
