package dev.midcourse.proof.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
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
  public String question() {
    return "event committed to at an SSE client, 200 clients; goal p50 <= 5 ms, p99 <= 30 ms";
  }

  /** When a listener had the line, as {@link System#nanoTime}. */
  private record Heard(String steer, long at) {}

  @Override
  public void run(Path root, PrintStream out) throws Exception {
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
      try (OpenLoop loop = new OpenLoop(house, BUSY)) {
        loop.send(STEERS / 2, PER_SECOND); // until everything is compiled
        Map<String, OpenLoop.Times> times = new ConcurrentHashMap<>(loop.send(STEERS, PER_SECOND));
        Thread.sleep(1_000); // the last ones arrive
        print(out, times, heard);
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
          heard.add(new Heard(HubCaller.field(line, "steer_id"), System.nanoTime()));
        }
      }
    } catch (IOException closed) {
      // The benchmark is over.
    }
  }

  private static void print(
      PrintStream out, Map<String, OpenLoop.Times> times, Iterable<Heard> heard) {
    List<Duration> sinceRequest = new ArrayList<>();
    List<Duration> sinceAnswer = new ArrayList<>();
    for (Heard one : heard) {
      Optional.ofNullable(times.get(one.steer()))
          .ifPresent(at -> {
            sinceRequest.add(Duration.ofNanos(one.at() - at.due()));
            sinceAnswer.add(Duration.ofNanos(Math.max(0, one.at() - at.answered())));
          });
    }
    out.printf(
        "  %d steers, %d deliveries to %d listeners%n",
        times.size(), sinceRequest.size(), BUSY + HEAR_ALL);
    new Samples(sinceAnswer).print(out, "told that it is durable -> at a client");
    new Samples(sinceRequest).print(out, "POST -> at a client, commit included");
  }
}
