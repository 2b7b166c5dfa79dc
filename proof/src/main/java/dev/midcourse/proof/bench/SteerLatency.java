package dev.midcourse.proof.bench;

import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.steer.Rung;
import dev.midcourse.core.steer.Steer;
import dev.midcourse.core.steer.Steer.RungClaim;
import dev.midcourse.engine.SteerService.SubmitResult;
import dev.midcourse.proof.bench.fixture.BenchFixture;
import dev.midcourse.proof.bench.measure.Benchmark;
import dev.midcourse.proof.bench.measure.Goal;
import dev.midcourse.proof.bench.measure.Pace;
import dev.midcourse.proof.bench.measure.Report;
import dev.midcourse.proof.bench.measure.Samples;
import dev.midcourse.proof.bench.measure.WarmUp;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;

/**
 * Measures every hop of a steer while other runs are busy, and the time until a thousand steers at
 * once are durable.
 */
final class SteerLatency implements Benchmark {
  private static final int SECONDS = 5;
  private static final int PER_SECOND = 200;
  private static final int PER_SECOND_TO_ONE = 20;

  @Override
  public String name() {
    return "steer";
  }

  @Override
  public String title() {
    return "Latency of a steer, by stage";
  }

  @Override
  public String question() {
    return "each stage of a steer with 1, 20 and 200 busy runs, 200 steers a second, and 20 to a"
        + " single run; 1,000 at once";
  }

  @Override
  public void run(Path root, Report report) throws Exception {
    try (BenchFixture fixture = new BenchFixture()) {
      List<RunId> runs = start(fixture, 20);
      WarmUp.by(() -> openLoop(fixture, runs, 1));
    }
    for (int busy : List.of(1, 20, 200)) {
      try (BenchFixture fixture = new BenchFixture();
          Pace pace = new Pace()) {
        List<RunId> runs = start(fixture, busy);
        openLoop(fixture, runs, 1); // warm-up until all runs are active
        report(pace, busy, fixture, runs, report);
      }
    }
    try (BenchFixture fixture = new BenchFixture()) {
      burst(fixture, start(fixture, 200), 200);
      report.figure(
          "burst of 1,000, all durable after",
          burst(fixture, List.copyOf(fixture.engine().attended()), 1_000),
          "ms",
          Goal.most(500));
    }
    report.note(
        "An agent takes a steer when its tool ends. With tools of 200 ms, `accepted →"
            + " injected` is therefore 100 ms on average.");
    report.note(Goal.WHY_NONE_FOR_ONE);
  }

  /**
   * Starts runs with five tool calls a second each. The starts are spread, because real agents are
   * not synchronized.
   */
  private static List<RunId> start(BenchFixture fixture, int busy) throws InterruptedException {
    List<RunId> runs = new ArrayList<>();
    for (int i = 0; i < busy; i++) {
      String first = String.format(Locale.ROOT, "$ sleep %.3f%n", 0.2 * i / busy);
      runs.add(fixture.run("busy-" + i, first + "$ sleep 0.2\n".repeat(100_000 / 200)));
    }
    fixture.awaitTurns(busy);
    return runs;
  }

  /** The hops of the steers of one round. */
  private record Hops(
      Samples durable, Samples woken, Samples written, Samples accepted, Samples injected) {

    static Hops together(List<Hops> all) {
      return new Hops(
          one(all, Hops::durable),
          one(all, Hops::woken),
          one(all, Hops::written),
          one(all, Hops::accepted),
          one(all, Hops::injected));
    }

    private static Samples one(List<Hops> all, Function<Hops, Samples> hop) {
      return Samples.together(all.stream().map(hop).toList());
    }
  }

  private static void report(
      Pace pace, int runsAtWork, BenchFixture fixture, List<RunId> runs, Report report)
      throws Exception {
    String busy = runsAtWork + " busy: ";
    Pace.Kept<Hops> kept =
        pace.rounds(
            hops -> hops.written().millis(0.5),
            Hops::together,
            () -> hops(fixture, openLoop(fixture, runs, SECONDS)));
    Hops hops = kept.found();
    report.times(busy + "request → durable", hops.durable());
    report.times(busy + "durable → written", hops.woken());
    report.times(busy + "request → written", hops.written(), Goal.ofSteer(runsAtWork));
    report.times(busy + "written → accepted", hops.accepted());
    report.times(busy + "accepted → injected", hops.injected());
    report.rounds(busy + "request → written", kept);
  }

  private static Hops hops(BenchFixture fixture, Map<SteerId, long[]> times) {
    List<Duration> durable = new ArrayList<>();
    List<Duration> woken = new ArrayList<>();
    List<Duration> written = new ArrayList<>();
    List<Duration> accepted = new ArrayList<>();
    List<Duration> injected = new ArrayList<>();
    times.forEach((id, at) -> {
      long wrote = Objects.requireNonNull(fixture.driver().written().get(id), "not written");
      durable.add(Duration.ofNanos(at[1] - at[0]));
      woken.add(Duration.ofNanos(wrote - at[1]));
      written.add(Duration.ofNanos(wrote - at[0]));
      Map<Rung, Instant> rungs = awaitInjected(fixture, id);
      accepted.add(between(rungs, Rung.OFFERED, Rung.ACCEPTED));
      injected.add(between(rungs, Rung.ACCEPTED, Rung.INJECTED));
    });
    return new Hops(
        new Samples(durable),
        new Samples(woken),
        new Samples(written),
        new Samples(accepted),
        new Samples(injected));
  }

  private static Duration between(Map<Rung, Instant> rungs, Rung from, Rung to) {
    return Duration.between(
        Objects.requireNonNull(rungs.get(from)), Objects.requireNonNull(rungs.get(to)));
  }

  /** Waits until the steer is injected; returns the time of each rung. */
  private static Map<Rung, Instant> awaitInjected(BenchFixture fixture, SteerId id) {
    while (true) {
      Steer steer = fixture.engine().ledger().read(r -> r.steer(id)).orElseThrow();
      if (steer.reached(Rung.INJECTED)) {
        Map<Rung, Instant> reached = new EnumMap<>(Rung.class);
        for (RungClaim claim : steer.rungs()) {
          reached.put(claim.rung(), claim.at());
        }
        return reached;
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
    }
  }

  /**
   * Sends at a fixed rate; returns for each steer its due time and the time at which it was
   * durable.
   */
  private static Map<SteerId, long[]> openLoop(BenchFixture fixture, List<RunId> runs, int seconds)
      throws InterruptedException {
    int perSecond = Math.min(PER_SECOND, PER_SECOND_TO_ONE * runs.size());
    int count = seconds * perSecond;
    Random random = new Random(7);
    Map<SteerId, long[]> times = new ConcurrentHashMap<>();
    List<Thread> callers = new ArrayList<>();
    Instant began = Instant.now();
    long start = System.nanoTime();
    for (int i = 0; i < count; i++) {
      long due = start + TimeUnit.SECONDS.toNanos(i) / perSecond;
      RunId run = runs.get(random.nextInt(runs.size()));
      String text = "remark " + i;
      while (System.nanoTime() < due) {
        LockSupport.parkNanos(due - System.nanoTime());
      }
      callers.add(
          Thread.startVirtualThread(() -> {
            SubmitResult stored = fixture.steer(run, text);
            long durable = start + Duration.between(began, stored.durable()).toNanos();
            times.put(stored.receipt().steerId(), new long[] {due, durable});
          }));
    }
    for (Thread caller : callers) {
      caller.join();
    }
    if (times.size() < count) {
      throw new IllegalStateException((count - times.size()) + " steers were not stored");
    }
    while (!fixture.driver().written().keySet().containsAll(times.keySet())) {
      Thread.sleep(10);
    }
    return times;
  }

  private static double burst(BenchFixture fixture, List<RunId> runs, int count)
      throws InterruptedException {
    List<Thread> callers = new ArrayList<>();
    long start = System.nanoTime();
    for (int i = 0; i < count; i++) {
      RunId run = runs.get(i % runs.size());
      String text = "remark " + i;
      callers.add(Thread.startVirtualThread(() -> fixture.steer(run, text)));
    }
    for (Thread caller : callers) {
      caller.join();
    }
    return (System.nanoTime() - start) / 1e6;
  }
}
