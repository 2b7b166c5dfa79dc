package dev.midcourse.proof.bench;

import dev.midcourse.ledger.Ledger;
import dev.midcourse.ledger.sql.PostgresLedger;
import dev.midcourse.ledger.sql.SqliteLedger;
import dev.midcourse.proof.bench.fixture.Folders;
import dev.midcourse.proof.bench.measure.Benchmark;
import dev.midcourse.proof.bench.measure.Goal;
import dev.midcourse.proof.bench.measure.Report;
import dev.midcourse.proof.bench.measure.Samples;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Measures a durable steer and a read of a run, in a new ledger and in one with a long history. */
final class LedgerBench implements Benchmark {
  private static final int SINGLE = 1_000;
  private static final int BURST = 1_000;
  private static final int BURSTS = 7;
  private static final int READS = 20_000;
  private static final int HISTORY = 1_000_000;

  @Override
  public String name() {
    return "ledger";
  }

  @Override
  public String title() {
    return "SQLite and PostgreSQL";
  }

  @Override
  public String question() {
    return "one durable steer, 1,000 at once, one run read; new, and with 1,000,000 old events";
  }

  @Override
  public void run(Path root, Report report) throws Exception {
    Path cache = Files.createDirectories(root.resolve(".cache"));
    Path folder = Files.createTempDirectory(cache, "ledger-bench-");
    try {
      report.times("bare fsync of 4 KiB", bareSync(folder.resolve("bare")));
      try (Ledger ledger = SqliteLedger.open(folder.resolve("ledger.db"))) {
        measureEmptyAndFull("SQLite", ledger, () -> {}, Goals.OF_THE_DEFAULT, report);
      }
      // The server of the tests runs without fsync; the benchmark needs durable commits.
      try (EmbeddedPostgres server =
              EmbeddedPostgres.builder().setServerConfig("fsync", "on").start();
          Ledger ledger =
              PostgresLedger.open(server.getJdbcUrl("postgres", "postgres"), "postgres", "")) {
        measureEmptyAndFull("PostgreSQL", ledger, () -> tidy(server), Goals.OF_A_SERVER, report);
      }
      report.note(
          "A statement to a server is a round trip to another process, about 0.2 ms here."
              + " A read takes two, so the goal for it applies to the default store only. A"
              + " steer takes one, inside the transaction that all steers share. PostgreSQL does"
              + " its checkpoint and its vacuum before the second half, as a ledger that has"
              + " grown over weeks has done.");
    } finally {
      Folders.delete(folder);
    }
  }

  private record Goals(Goal steer, Goal burst, Goal read) {
    static final Goals OF_THE_DEFAULT = new Goals(Goal.most(2), Goal.most(500), Goal.most(0.1));

    /** No goal for reads, because the round trip to another process takes longer than the read. */
    static final Goals OF_A_SERVER = new Goals(Goal.most(2), Goal.most(500), Goal.NONE);
  }

  /** The maintenance that a store does after many writes. */
  private interface Upkeep {
    void done() throws Exception;
  }

  private static void tidy(EmbeddedPostgres server) throws SQLException {
    try (Connection connection = server.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("VACUUM ANALYZE");
      statement.execute("CHECKPOINT");
    }
  }

  private static void measureEmptyAndFull(
      String store, Ledger ledger, Upkeep upkeep, Goals goals, Report report) throws Exception {
    LedgerLoad load = new LedgerLoad(ledger);
    load.prepare();
    load.warmUp();
    measure(store + ", new", load, goals, report);
    load.addHistory(HISTORY);
    upkeep.done();
    measure(store + ", 1,000,000 events", load, goals, report);
  }

  /** Measures with virtual threads, like the interfaces of the hub. */
  private static void measure(String what, LedgerLoad load, Goals goals, Report report)
      throws Exception {
    try (ExecutorService endpoints = Executors.newVirtualThreadPerTaskExecutor()) {
      Samples steers = endpoints.submit(() -> times(SINGLE, load::steer)).get();
      Samples bursts = times(BURSTS, () -> burst(endpoints, load));
      Samples reads = endpoints.submit(() -> times(READS, load::read)).get();
      report.times(what + ": one steer", steers, goals.steer());
      report.times(what + ": 1,000 steers at once", bursts, goals.burst());
      report.times(what + ": one run read", reads, goals.read());
    }
  }

  private static boolean burst(ExecutorService endpoints, LedgerLoad load)
      throws ExecutionException, InterruptedException {
    List<Future<Boolean>> all = new ArrayList<>();
    for (int i = 0; i < BURST; i++) {
      all.add(endpoints.submit(load::steer));
    }
    for (Future<Boolean> one : all) {
      one.get();
    }
    return true;
  }

  private static Samples times(int rounds, Callable<Boolean> one) throws Exception {
    List<Duration> times = new ArrayList<>(rounds);
    for (int i = 0; i < rounds; i++) {
      long began = System.nanoTime();
      one.call();
      times.add(Duration.ofNanos(System.nanoTime() - began));
    }
    return new Samples(times);
  }

  /** Measures fsync alone: the minimum cost of a durable write on this disk. */
  private static Samples bareSync(Path file) throws Exception {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      ByteBuffer page = ByteBuffer.allocateDirect(4_096);
      return times(
          SINGLE,
          () -> {
            page.clear();
            channel.write(page);
            channel.force(false);
            return true;
          });
    }
  }
}
