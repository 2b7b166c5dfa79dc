package dev.midcourse.proof.bench;

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
 * How long an event takes from the ledger to those who listen. Each busy run has a listener of its
 * own, as a command that follows it has; a few listeners hear everything, as pages do.
 */
final class EventLatency implements Benchmark {
  private static final int BUSY = 200;
  private static final int HEAR_ALL = 5;
  private static final int STEERS = 1_000;
  private static final int PER_SECOND = 100;

  @Override
  public String name() {
    return "events";
  }

  @Override
  public String title() {
    return "An event on its way to a listener";
  }

  @Override
  public String question() {
    return "an event that happens, until a client of the event stream has it, with 205 clients";
  }

  /** That a listener had the line, and how long after the time that the event itself tells. */
  private record Heard(String steer, Duration after) {}

  @Override
  public void run(Path root, Report report) throws Exception {
    List<HubCaller> listeners = new ArrayList<>();
    ConcurrentLinkedQueue<Heard> heard = new ConcurrentLinkedQueue<>();
    try (HubHouse house = HubHouse.open()) {
      house.busy(BUSY, Duration.ofSeconds(2));
      for (int i = 0; i < BUSY + HEAR_ALL; i++) {
        HubCaller listener = house.caller();
        listener.listen(i < BUSY ? "?run=busy-" + i : "");
        listeners.add(listener);
        Thread.startVirtualThread(() -> listen(listener, heard));
      }
      try (OpenLoop loop = new OpenLoop(house, BUSY);
          Pace pace = new Pace()) {
        Compiled.by(() -> loop.send(PER_SECOND, PER_SECOND));
        Pace.Kept<Samples> kept =
            pace.quickest(samples -> samples.millis(0.5), () -> measure(loop, heard));
        report.times("event → at a client, its commit included", kept.found(), new Goal(5, 30));
        report.rounds("event → at a client", kept);
        report.note(
            "%d steers made %d deliveries to %d listeners: one for each busy run, and %d that hear all."
                .formatted(STEERS, kept.found().sorted().size(), BUSY + HEAR_ALL, HEAR_ALL));
      }
      for (HubCaller listener : listeners) {
        listener.close();
      }
    }
  }

  private static void listen(HubCaller listener, ConcurrentLinkedQueue<Heard> heard) {
    try {
      while (true) {
        String line = listener.line();
        if (line.startsWith("data: ") && line.contains("\"kind\":\"steer_stored\"")) {
          Duration after =
              Duration.between(Instant.parse(HubCaller.field(line, "at")), Instant.now());
          heard.add(new Heard(HubCaller.field(line, "steer_id"), after));
        }
      }
    } catch (IOException closed) {
      // The benchmark is over.
    }
  }

  private static Samples measure(OpenLoop loop, Collection<Heard> heard)
      throws InterruptedException {
    Set<String> steers = loop.send(STEERS, PER_SECOND).keySet();
    Thread.sleep(1_000); // the last ones arrive
    return new Samples(
        heard.stream().filter(one -> steers.contains(one.steer())).map(Heard::after).toList());
  }
}
