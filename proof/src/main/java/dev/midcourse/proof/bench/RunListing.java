package dev.midcourse.proof.bench;

import dev.midcourse.core.agent.Usage;
import dev.midcourse.core.id.AgentName;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.RunSpec;
import dev.midcourse.core.run.RunState;
import dev.midcourse.core.steer.PendingPolicy;
import dev.midcourse.engine.context.EngineSettings;
import dev.midcourse.ledger.Ledger;
import dev.midcourse.ledger.sql.SqliteLedger;
import dev.midcourse.proof.bench.fixture.BenchFixture;
import dev.midcourse.proof.bench.fixture.BenchHub;
import dev.midcourse.proof.bench.fixture.HubCaller;
import dev.midcourse.proof.bench.measure.Benchmark;
import dev.midcourse.proof.bench.measure.Goal;
import dev.midcourse.proof.bench.measure.Report;
import dev.midcourse.proof.bench.measure.Samples;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Measures the list of runs in a ledger with a long history. */
final class RunListing implements Benchmark {
  private static final int RUNS = 100_000;
  private static final int AT_ONCE = 5_000;
  private static final int ROUNDS = 300;

  @Override
  public String name() {
    return "list";
  }

  @Override
  public String title() {
    return "The list of runs";
  }

  @Override
  public String question() {
    return "GET of runs when there are 100,000 past ones";
  }

  @Override
  public void run(Path root, Report report) throws Exception {
    try (BenchHub fixture = BenchHub.open(RunListing::fill);
        HubCaller caller = fixture.caller()) {
      for (String query :
          List.of("", "?limit=200", "?state=queued,running", "?state=failed&limit=50")) {
        timed(caller, query); // warm-up until the code is compiled
        report.times("GET /runs" + query, new Samples(timed(caller, query)), Goal.most(10));
      }
    }
  }

  private static List<Duration> timed(HubCaller caller, String query) throws IOException {
    List<Duration> times = new ArrayList<>();
    for (int i = 0; i < ROUNDS; i++) {
      long began = System.nanoTime();
      caller.get("/runs" + query);
      times.add(Duration.ofNanos(System.nanoTime() - began));
    }
    return times;
  }

  private static void fill(Path folder) {
    Instant begin = Instant.now().minus(Duration.ofDays(300));
    try (Ledger ledger = SqliteLedger.open(folder.resolve("midcourse.db"))) {
      for (int from = 0; from < RUNS; from += AT_ONCE) {
        int first = from;
        ledger.write(tx -> {
          for (int i = first; i < first + AT_ONCE; i++) {
            tx.put(past(i, begin.plusSeconds(200L * i)));
          }
          return true;
        });
      }
    }
  }

  private static Run past(int number, Instant at) {
    RunSpec spec =
        new RunSpec(
            "make the tests pass and say what was wrong, number " + number,
            AgentName.of("rehearsal"),
            EngineSettings.ANY_WORKER,
            "/somewhere",
            BenchFixture.author(),
            PendingPolicy.ALL,
            3,
            Optional.empty(),
            Optional.empty(),
            Optional.empty());
    return new Run(
        RunId.of("past-" + number),
        spec,
        number % 50 == 0 ? RunState.FAILED : RunState.DONE,
        1,
        0,
        Optional.empty(),
        1,
        Optional.empty(),
        Optional.empty(),
        false,
        false,
        Optional.empty(),
        Optional.empty(),
        2,
        Usage.NOTHING,
        at,
        Optional.of(at.plusSeconds(1)),
        Optional.of(at.plusSeconds(100)),
        Optional.of("The test waited for a clock; it is fixed."));
  }
}
