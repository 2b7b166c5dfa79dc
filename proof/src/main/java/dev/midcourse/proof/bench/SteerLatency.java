package dev.midcourse.proof.bench;

import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.steer.SteerRequest;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * How long from a request to bytes in the agent's input, while other runs are busy; and how long a
 * thousand steers at once take to be durable. Requests are sent at a fixed rate whatever the
 * answers do, so that a stall is not hidden by waiting callers.
 */
final class SteerLatency implements Benchmark {
  private static final int MOST_STEERS = 1_000;
  private static final int MOST_PER_RUN = 300;
  private static final int PER_SECOND = 200;

  @Override
  public String name() {
    return "steer";
  }

  @Override
  public String question() {
    return "request to bytes in the agent's input; goal p50 <= 2 ms, p99 <= 15 ms at 200 busy runs;"
        + " 1,000 at once durable in <= 500 ms";
  }

  @Override
  public void run(Path root, PrintStream out) throws Exception {
    out.printf("  %-18s %8s %8s %8s %8s   %s%n", "busy runs", "p50", "p90", "p99", "max", "hop");
    for (int busy : List.of(1, 20, 200)) {
      try (BenchHouse house = new BenchHouse()) {
        List<RunId> runs = start(house, busy);
        openLoop(house, runs, 100);
        measured(house, runs, Math.min(MOST_STEERS, MOST_PER_RUN * busy), out);
      }
    }
    try (BenchHouse house = new BenchHouse()) {
      burst(house, start(house, 200), 200);
      out.printf(
          "  burst of 1,000: all durable after %.0f ms%n",
          burst(house, List.copyOf(house.engine().attended()), 1_000));
    }
  }

  /** Five tool calls a second each, and not all in the same moment: agents do not march in step. */
  private static List<RunId> start(BenchHouse house, int busy) throws InterruptedException {
    List<RunId> runs = new ArrayList<>();
    for (int i = 0; i < busy; i++) {
      String first = String.format(Locale.ROOT, "$ sleep %.3f%n", 0.2 * i / busy);
      runs.add(house.run("busy-" + i, first + "$ sleep 0.2\n".repeat(100_000 / 200)));
    }
    house.awaitTurns(busy);
    return runs;
  }

  private static void measured(BenchHouse house, List<RunId> runs, int steers, PrintStream out)
      throws InterruptedException {
    Map<SteerId, long[]> times = openLoop(house, runs, steers);
    List<Duration> durable = new ArrayList<>();
    List<Duration> written = new ArrayList<>();
    times.forEach((id, at) -> {
      durable.add(Duration.ofNanos(at[1] - at[0]));
      Long wroteAt = Objects.requireNonNull(house.driver().written().get(id), "not written");
      written.add(Duration.ofNanos(wroteAt - at[0]));
    });
    row(out, runs.size(), new Samples(durable), "request -> durable");
    row(out, runs.size(), new Samples(written), "request -> written");
  }

  private static void row(PrintStream out, int busy, Samples samples, String hop) {
    out.printf(
        "  %-18d %5.2f ms %5.2f ms %5.2f ms %5.2f ms   %s%n",
        busy,
        samples.millis(0.5),
        samples.millis(0.9),
        samples.millis(0.99),
        samples.millis(1),
        hop);
  }

  /** Sends at the set rate; gives for each steer when it was due and when it was durable. */
  private static Map<SteerId, long[]> openLoop(BenchHouse house, List<RunId> runs, int count)
      throws InterruptedException {
    Random random = new Random(7);
    Map<SteerId, long[]> times = new ConcurrentHashMap<>();
    List<Thread> callers = new ArrayList<>();
    long start = System.nanoTime();
    for (int i = 0; i < count; i++) {
      long due = start + TimeUnit.SECONDS.toNanos(i) / PER_SECOND;
      RunId run = runs.get(random.nextInt(runs.size()));
      String text = "remark " + i;
      while (System.nanoTime() < due) {
        LockSupport.parkNanos(due - System.nanoTime());
      }
      callers.add(
          Thread.startVirtualThread(() -> {
            SteerRequest request = SteerRequest.steer(run, BenchHouse.author(), text);
            SteerId id = house.engine().steering().submit(request).receipt().steerId();
            times.put(id, new long[] {due, System.nanoTime()});
          }));
    }
    for (Thread caller : callers) {
      caller.join();
    }
    while (!house.driver().written().keySet().containsAll(times.keySet())) {
      Thread.sleep(10);
    }
    return times;
  }

  private static double burst(BenchHouse house, List<RunId> runs, int count)
      throws InterruptedException {
    List<Thread> callers = new ArrayList<>();
    long start = System.nanoTime();
    for (int i = 0; i < count; i++) {
      SteerRequest request =
          SteerRequest.steer(runs.get(i % runs.size()), BenchHouse.author(), "remark " + i);
      callers.add(Thread.startVirtualThread(() -> house.engine().steering().submit(request)));
    }
    for (Thread caller : callers) {
      caller.join();
    }
    return (System.nanoTime() - start) / 1e6;
  }
}
