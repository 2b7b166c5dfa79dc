package dev.midcourse.proof.bench;

import dev.midcourse.proof.bench.fixture.BenchHub;
import dev.midcourse.proof.bench.fixture.HubCaller;
import dev.midcourse.proof.bench.fixture.OpenLoop;
import dev.midcourse.proof.bench.measure.Benchmark;
import dev.midcourse.proof.bench.measure.Goal;
import dev.midcourse.proof.bench.measure.Pace;
import dev.midcourse.proof.bench.measure.Report;
import dev.midcourse.proof.bench.measure.Samples;
import dev.midcourse.proof.bench.measure.WarmUp;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Measures the time from the timestamp of an event, which is before its commit, until clients
 * receive it. The first case has one client for each busy run, like a command that follows a run,
 * and a few clients for all runs, like pages. The second case has two hundred clients for all runs.
 */
final class EventLatency implements Benchmark {
  private static final int SECONDS = 5;
  private static final Duration TOOL = Duration.ofSeconds(2);
  private static final Duration MAX_LENGTH = Duration.ofSeconds(60);

  @Override
  public String name() {
    return "events";
  }

  @Override
  public String title() {
    return "Latency of an event";
  }

  @Override
  public String question() {
    return "an event that happens, until a client of the event stream has it, its commit included,"
        + " with 200 clients and more";
  }

  /**
   * The clients of a measurement.
   *
   * @param ofOneRun whether every run has a client of its own
   * @param ofAllRuns the number of clients of all runs
   */
  private record Audience(String name, int busy, boolean ofOneRun, int ofAllRuns, int perSecond) {

    /** Returns how many clients receive the event of one steer. */
    int listeners() {
      return ofAllRuns + (ofOneRun ? 1 : 0);
    }
  }

  /** A received event, and the time since its timestamp. */
  private record Delivery(String steer, Duration after) {}

  @Override
  public void run(Path root, Report report) throws Exception {
    measure(new Audience("205 clients, 200 of one run each", 200, true, 5, 100), report);
    measure(new Audience("200 clients of all runs", 20, false, 200, 10), report);
    report.note(
        "The time is measured for the event that stores a steer. Every delivery counts:"
            + " there are figures only if each client has received each event.");
  }

  private static void measure(Audience audience, Report report) throws Exception {
    List<HubCaller> listeners = new ArrayList<>();
    ConcurrentLinkedQueue<Delivery> delivered = new ConcurrentLinkedQueue<>();
    try (BenchHub fixture = BenchHub.open()) {
      fixture.busy(audience.busy(), TOOL);
      if (audience.ofOneRun()) {
        for (int i = 0; i < audience.busy(); i++) {
          listeners.add(listener(fixture, "?run=busy-" + i, delivered));
        }
      }
      for (int i = 0; i < audience.ofAllRuns(); i++) {
        listeners.add(listener(fixture, "", delivered));
      }
      try (OpenLoop loop = new OpenLoop(fixture, audience.busy());
          Pace pace = new Pace()) {
        WarmUp.by(() -> loop.send(audience.perSecond(), audience.perSecond()));
        Pace.Kept<Samples> kept = pace.samples(() -> round(loop, audience, delivered));
        report.times(audience.name(), kept.found(), new Goal(5, 30));
        report.rounds(audience.name(), kept);
      }
      for (HubCaller listener : listeners) {
        listener.close();
      }
    }
  }

  private static HubCaller listener(BenchHub fixture, String query, Collection<Delivery> delivered)
      throws IOException {
    HubCaller listener = fixture.caller();
    listener.listen(query);
    // The hub uses virtual threads, so a client gets a platform thread and does not wait behind
    // them.
    Thread.ofPlatform().daemon().start(() -> listen(listener, delivered));
    return listener;
  }

  private static void listen(HubCaller listener, Collection<Delivery> delivered) {
    try {
      while (true) {
        String line = listener.line();
        if (line.startsWith("data: ") && line.contains("\"kind\":\"steer_stored\"")) {
          Duration after =
              Duration.between(Instant.parse(HubCaller.field(line, "at")), Instant.now());
          delivered.add(new Delivery(HubCaller.field(line, "steer_id"), after));
        }
      }
    } catch (IOException closed) {
      // The benchmark has ended.
    }
  }

  private static Samples round(OpenLoop loop, Audience audience, Collection<Delivery> delivered)
      throws InterruptedException {
    Set<String> steers = loop.send(SECONDS * audience.perSecond(), audience.perSecond()).keySet();
    int deliveries = steers.size() * audience.listeners();
    long until = System.nanoTime() + MAX_LENGTH.toNanos();
    while (true) {
      List<Duration> times =
          delivered.stream()
              .filter(one -> steers.contains(one.steer()))
              .map(Delivery::after)
              .toList();
      if (times.size() == deliveries) {
        delivered.clear();
        return new Samples(times);
      }
      if (System.nanoTime() > until) {
        throw new IllegalStateException(times.size() + " of " + deliveries + " deliveries");
      }
      Thread.sleep(100);
    }
  }
}
