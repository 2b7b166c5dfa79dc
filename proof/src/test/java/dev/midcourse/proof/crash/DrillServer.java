package dev.midcourse.proof.crash;

import dev.midcourse.proof.Processes;
import dev.midcourse.proof.bench.fixture.FreePorts;
import dev.midcourse.proof.crash.hub.DrillStore;
import dev.midcourse.proof.crash.hub.StoreServer;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.stream.Stream;

/** A real PostgreSQL server for one drill, with fsync. */
public final class DrillServer implements StoreServer, AutoCloseable {
  private final EmbeddedPostgres.Builder builder;
  private final Path data;
  private EmbeddedPostgres server;

  private DrillServer(Path data) throws IOException {
    this.data = data;
    this.builder =
        EmbeddedPostgres.builder()
            .setDataDirectory(data)
            .setCleanDataDirectory(false)
            .setServerConfig("fsync", "on")
            .setPort(FreePorts.next())
            .setPGStartupWait(Duration.ofMinutes(5));
    this.server = builder.start();
  }

  /** Starts a server with its files in this folder. */
  public static DrillServer in(Path folder) throws IOException {
    return new DrillServer(folder.resolve("postgres"));
  }

  @Override
  public DrillStore store() {
    return new DrillStore.Postgres(server.getJdbcUrl("postgres", "postgres"));
  }

  /** Creates an empty database. */
  public DrillStore fresh(String database) {
    try (Connection connection = server.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE DATABASE " + database);
    } catch (SQLException failure) {
      throw new IllegalStateException(failure);
    }
    return new DrillStore.Postgres(server.getJdbcUrl("postgres", database));
  }

  @Override
  public void kill() throws IOException, InterruptedException {
    ProcessHandle first = ProcessHandle.of(pid()).orElseThrow();
    Processes.kill(Stream.concat(Stream.of(first), first.descendants()).toList());
  }

  private long pid() throws IOException {
    return Long.parseLong(Files.readAllLines(data.resolve("postmaster.pid")).getFirst().strip());
  }

  @Override
  public void comeBack() throws IOException {
    server.close();
    server = builder.start();
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
