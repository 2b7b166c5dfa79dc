package dev.midcourse.hub.metrics;

import dev.midcourse.core.event.RunEvent;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.steer.Rung;
import dev.midcourse.engine.follow.LogFollower;
import dev.midcourse.ledger.Log;
import dev.midcourse.ledger.Log.LogEntry;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Measures the latency of each stage of every steer and stop. It follows the log on its own thread,
 * so that measuring delays no steer. The measurements are in memory: a new hub begins without them.
 */
public final class SteerLatency implements AutoCloseable {

  /** Steers do not wait for the measurements, so the measurements take the log in large pages. */
  private static final Duration BATCH_DELAY = Duration.ofMillis(200);

  /** The upper bounds of the buckets in seconds. */
  private static final double[] UPPER_BOUNDS = {
    0.0005, 0.001, 0.002, 0.005, 0.01, 0.015, 0.03, 0.05, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0
  };

  private static final int MAX_UNDER_WAY = 100_000;
  private static final Log.Filter MEASURED =
      Log.Filter.of(
          RunEvent.SteerStored.class,
          RunEvent.SteerRaised.class,
          RunEvent.SteerEnded.class,
          RunEvent.StopAsked.class,
          RunEvent.RunEnded.class);

  private final InstantSource clock;
  private final Histogram sinceStart = histogram();
  private final Map<LatencyStage, LatencyHistogram> timings = new EnumMap<>(LatencyStage.class);

  /** The newest rung of each open steer; guarded by itself. */
  private final Map<SteerId, Reached> reached = new Recent<>();

  /** The time at which each stop was asked for; guarded by itself. */
  private final Map<RunId, Instant> stops = new Recent<>();

  /** How steers ended, since the start; guarded by itself. */
  private final Map<String, Long> ends = new TreeMap<>();

  private final LogFollower follower;

  private record Reached(Rung rung, Instant at) {}

  /** A map of the newest entries: older ones are dropped. */
  private static final class Recent<K, V> extends LinkedHashMap<K, V> {
    private static final long serialVersionUID = 1;

    @Override
    protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
      return size() > MAX_UNDER_WAY;
    }
  }

  /** The figures of the last hour. */
  public record Figures(double p50Ms, double p99Ms, long count) {}

  public SteerLatency(Log log, InstantSource clock) {
    this.clock = clock;
    for (LatencyStage hop : LatencyStage.values()) {
      timings.put(hop, new LatencyHistogram(sinceStart.labelValues(hop.wire())));
    }
    this.follower = new LogFollower("steer-latency", log, MEASURED, new Measurer());
    follower.start();
  }

  /** Records that a steer was requested and became durable at these times. */
  public void stored(SteerId steer, Instant asked, Instant durable) {
    note(LatencyStage.REQUEST_TO_DURABLE, asked, durable);
    synchronized (reached) {
      // The log may have told of more already.
      reached.merge(
          steer,
          new Reached(Rung.STORED, durable),
          (known, ours) -> known.rung() == Rung.STORED ? ours : known);
    }
  }

  /** The percentiles of the last hour, for each stage that occurred in it. */
  public Map<String, Figures> lastHour() {
    Instant now = clock.instant();
    Map<String, Figures> figures = new LinkedHashMap<>();
    timings.forEach((hop, timing) -> {
      OptionalDouble half = timing.millis(0.5, now);
      OptionalDouble most = timing.millis(0.99, now);
      if (half.isPresent() && most.isPresent()) {
        figures.put(
            hop.wire(),
            new Figures(
                rounded(half.getAsDouble()),
                rounded(most.getAsDouble()),
                timing.countInLastHour(now)));
      }
    });
    return figures;
  }

  private static double rounded(double millis) {
    return Math.round(millis * 1000) / 1000.0;
  }

  /** The histogram of all stages since the start. */
  MetricSnapshot sinceStart() {
    return sinceStart.collect();
  }

  /** An empty histogram of all stages, with the buckets that Prometheus shows. */
  static Histogram histogram() {
    return Histogram.builder()
        .name("midcourse_hop_seconds")
        .help("How long each stretch of a steer's way took.")
        .labelNames("hop")
        .classicOnly()
        .classicUpperBounds(UPPER_BOUNDS)
        .withoutExemplars()
        .build();
  }

  Map<String, Long> ends() {
    synchronized (ends) {
      return new TreeMap<>(ends);
    }
  }

  private final class Measurer implements LogFollower.Reader {
    @Override
    public void read(List<LogEntry> news) {
      news.forEach(SteerLatency.this::measure);
    }

    @Override
    public Duration rest() {
      return BATCH_DELAY;
    }
  }

  private void measure(LogEntry entry) {
    switch (entry.event()) {
      case RunEvent.SteerStored it -> {
        synchronized (reached) {
          reached.putIfAbsent(it.steer(), new Reached(Rung.STORED, entry.at()));
        }
      }
      case RunEvent.SteerRaised it -> raised(it.steer(), it.rung(), entry.at());
      case RunEvent.SteerEnded it -> {
        synchronized (reached) {
          reached.remove(it.steer());
        }
        synchronized (ends) {
          ends.merge(it.ended().wire(), 1L, Long::sum);
        }
      }
      case RunEvent.StopAsked _ -> {
        synchronized (stops) {
          stops.putIfAbsent(entry.run(), entry.at());
        }
      }
      case RunEvent.RunEnded _ -> {
        @Nullable Instant asked;
        synchronized (stops) {
          asked = stops.remove(entry.run());
        }
        if (asked != null) {
          note(LatencyStage.STOP_TO_ENDED, asked, entry.at());
        }
      }
      default -> {} // not measured
    }
  }

  private void raised(SteerId steer, Rung rung, Instant at) {
    @Nullable Reached before;
    synchronized (reached) {
      before = reached.put(steer, new Reached(rung, at));
    }
    if (before != null) {
      hop(before.rung(), rung).ifPresent(hop -> note(hop, before.at(), at));
    }
  }

  /** The hop between two rungs, when none is between them. */
  private static Optional<LatencyStage> hop(Rung from, Rung to) {
    if (from == Rung.STORED && to == Rung.OFFERED) {
      return Optional.of(LatencyStage.DURABLE_TO_WRITTEN);
    }
    if (from == Rung.OFFERED && to == Rung.ACCEPTED) {
      return Optional.of(LatencyStage.WRITTEN_TO_ACCEPTED);
    }
    if (from == Rung.ACCEPTED && to == Rung.INJECTED) {
      return Optional.of(LatencyStage.ACCEPTED_TO_INJECTED);
    }
    return Optional.empty();
  }

  private void note(LatencyStage hop, Instant from, Instant to) {
    LatencyHistogram timing = timings.get(hop);
    if (timing != null) {
      timing.took(Duration.between(from, to), clock.instant());
    }
  }

  @Override
  public void close() {
    follower.close();
  }
}
