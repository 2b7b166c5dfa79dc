package dev.midcourse.proof.bench;

import dev.midcourse.proof.bench.fixture.BenchHub;
import dev.midcourse.proof.bench.fixture.HubCaller;
import dev.midcourse.proof.bench.measure.Benchmark;
import dev.midcourse.proof.bench.measure.Pace;
import dev.midcourse.proof.bench.measure.Report;
import dev.midcourse.proof.bench.measure.Samples;
import dev.midcourse.proof.bench.measure.WarmUp;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Measures the throughput of the hub. Each caller sends a steer, waits until it is durable, and
 * sends the next one at once.
 */
final class ClosedLoop implements Benchmark {
  private static final int RUNS = 200;
  private static final int WARM_UP_CLIENTS = 8;
  private static final Duration ROUND = Duration.ofSeconds(3);

  @Override
  public String name() {
    return "load";
  }

  @Override
  public String title() {
    return "Throughput of steers";
  }

  @Override
  public String question() {
    return "durable steers a second over HTTP into 200 live runs, by 1, 16 and 128 callers that"
        + " never pause";
  }

  /** The result for one number of callers. */
  private record Load(Samples answered, double perSecond) {

    /** Returns the median load, or the worse of two. */
    static Load middle(List<Load> all) {
      return all.stream()
          .sorted(Comparator.comparingDouble(Load::perSecond).reversed())
          .toList()
          .get(all.size() / 2);
    }
  }

  @Override
  public void run(Path root, Report report) throws Exception {
    try (BenchHub fixture = BenchHub.open()) {
      fixture.waiting(RUNS);
      WarmUp.by(() -> load(fixture, WARM_UP_CLIENTS, Duration.ofSeconds(1)));
    }
    for (int callers : List.of(1, 16, 128)) {
      try (Pace pace = new Pace()) {
        Pace.Kept<Load> kept =
            pace.rounds(load -> load.answered().millis(0.5), Load::middle, () -> round(callers));
        String who = callers == 1 ? "1 caller" : callers + " callers";
        report.times(who + ": POST → answered: it is durable", kept.found().answered());
        report.figure(who, kept.found().perSecond(), "steers a second");
        report.rounds(who, kept);
      }
    }
  }

  /**
   * Measures one round with a new hub, because the rate limiter would slow down callers that send
   * for a long time.
   */
  private static Load round(int callers) throws Exception {
    try (BenchHub fixture = BenchHub.open()) {
      fixture.waiting(RUNS);
      return load(fixture, callers, ROUND);
    }
  }

  private static Load load(BenchHub fixture, int callers, Duration time) throws Exception {
    long began = System.nanoTime();
    List<Callable<List<Duration>>> calls = new ArrayList<>();
    for (int i = 0; i < callers; i++) {
      int first = i * RUNS / callers;
      calls.add(() -> call(fixture, first, began + time.toNanos()));
    }
    List<Duration> answered = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Future<List<Duration>> call : threads.invokeAll(calls)) {
        answered.addAll(call.get());
      }
    }
    double seconds = (System.nanoTime() - began) / 1e9;
    return new Load(new Samples(answered), answered.size() / seconds);
  }

  private static List<Duration> call(BenchHub fixture, int first, long until) throws IOException {
    List<Duration> answered = new ArrayList<>();
    try (HubCaller caller = fixture.caller()) {
      for (int i = first; System.nanoTime() < until; i++) {
        long sent = System.nanoTime();
        caller.post("/runs/busy-" + i % RUNS + "/steers", "{\"text\":\"remark\"}");
        answered.add(Duration.ofNanos(System.nanoTime() - sent));
      }
    }
    return answered;
  }
}
