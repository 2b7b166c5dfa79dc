package dev.midcourse.hub.metrics;

import dev.midcourse.core.WireNames;
import dev.midcourse.core.event.RunEvent;
import dev.midcourse.core.id.HostName;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.steer.Rung;
import dev.midcourse.core.steer.SteerMode;
import dev.midcourse.engine.follow.LogFollower;
import dev.midcourse.ledger.Ledger;
import dev.midcourse.ledger.Ledger.Priority;
import dev.midcourse.ledger.Log;
import dev.midcourse.ledger.Log.LogEntry;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Measures the latency of each stage of every steer and stop. It follows the log on its own thread,
 * so that measuring delays no steer. It begins with the entries of the last hour, so that a restart
 * of the hub does not reset the figures of that hour. The stage before the commit is not in the
 * log: its counts are stored when the hub closes, and once a minute while steers arrive.
 *
 * <p>Time that a steer waits on purpose is no latency: a follow-up and guidance for the next call
 * are not measured until they are written, nor is a steer that had to wait for the end of a turn or
 * for the start of its run.
 */
public final class SteerLatency implements AutoCloseable {
  private static final Logger LOG = System.getLogger(SteerLatency.class.getName());

  /**
   * The size of a page of the log. It is large, because steers do not wait for the measurements.
   */
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
          RunEvent.SteerReturned.class,
          RunEvent.SteerPromoted.class,
          RunEvent.TurnEnded.class,
          RunEvent.RunPicked.class,
          RunEvent.StopAsked.class,
          RunEvent.RunEnded.class);

  private static final Duration STORE_INTERVAL = Duration.ofMinutes(1);

  private final Ledger ledger;
  private final String settingName;
  private final InstantSource clock;
  private Instant storedAt;
  private final Histogram sinceStart = histogram();
  private final Map<LatencyStage, LatencyHistogram> timings = new EnumMap<>(LatencyStage.class);

  /** The newest rung of each open steer; guarded by itself. */
  private final Map<SteerId, Reached> reached = new Recent<>();

  /** The steers of each run that are stored and not written yet; used by the follower only. */
  private final Map<RunId, Set<SteerId>> waiting = new Recent<>();

  /** The newest entry of the log when this hub started. */
  private final long startedAfter;

  /** The time of each request to stop; guarded by itself. */
  private final Map<RunId, Instant> stops = new Recent<>();

  /** The number of ended steers since the start, by the kind of their end; guarded by itself. */
  private final Map<String, Long> ends = new TreeMap<>();

  private final LogFollower follower;

  /**
   * The newest rung of a steer.
   *
   * @param held whether it waits, or has waited, on purpose
   */
  private record Reached(Rung rung, Instant at, boolean held) {
    Reached whenHeld() {
      return new Reached(rung, at, true);
    }
  }

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

  public SteerLatency(Ledger ledger, HostName host, InstantSource clock) {
    Log log = ledger.log();
    this.ledger = ledger;
    this.settingName = "latency.request-to-durable." + host;
    this.clock = clock;
    this.storedAt = clock.instant();
    for (LatencyStage hop : LatencyStage.values()) {
      timings.put(hop, new LatencyHistogram(sinceStart.labelValues(hop.wire())));
    }
    ledger
        .<Optional<String>>read(reading -> reading.setting(settingName))
        .ifPresent(timing(LatencyStage.REQUEST_TO_DURABLE)::read);
    this.startedAfter = log.newest();
    long hourAgo = cursorAt(log, clock.instant().minus(Duration.ofHours(1)));
    this.follower = new LogFollower("steer-latency", log, MEASURED, hourAgo, new Measurer());
    follower.start();
  }

  /** Returns the last cursor before this time, found by bisection: times grow with cursors. */
  private static long cursorAt(Log log, Instant time) {
    long low = 0;
    long high = log.newest();
    while (low < high) {
      long middle = low + (high - low) / 2;
      List<LogEntry> next = log.after(middle, Log.Filter.ALL, 1).entries();
      if (next.isEmpty() || !next.getFirst().at().isBefore(time)) {
        high = middle;
      } else {
        low = next.getFirst().cursor();
      }
    }
    return low;
  }

  /** Records that a steer was requested and became durable at these times. */
  public void stored(SteerId steer, Instant asked, Instant durable) {
    timing(LatencyStage.REQUEST_TO_DURABLE).took(Duration.between(asked, durable), durable);
    synchronized (reached) {
      // The log may already have delivered later events.
      reached.merge(
          steer,
          new Reached(Rung.STORED, durable, false),
          (known, ours) ->
              known.rung() == Rung.STORED
                  ? new Reached(Rung.STORED, durable, known.held())
                  : known);
    }
  }

  /** Returns the percentiles of the last hour for each stage that occurred in it. */
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

  /** Returns the histogram of all stages since the start. */
  MetricSnapshot sinceStart() {
    return sinceStart.collect();
  }

  /** Returns an empty histogram of all stages, with the buckets that Prometheus shows. */
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
      if (!news.isEmpty() && clock.instant().isAfter(storedAt.plus(STORE_INTERVAL))) {
        storeRequests();
      }
    }

    @Override
    public Duration rest() {
      return BATCH_DELAY;
    }
  }

  private void measure(LogEntry entry) {
    switch (entry.event()) {
      case RunEvent.SteerStored it -> stored(it, entry);
      case RunEvent.SteerRaised it -> raised(it, entry);
      case RunEvent.SteerReturned it -> hold(it.steer());
      case RunEvent.SteerPromoted it -> {
        synchronized (reached) {
          reached.replace(it.steer(), new Reached(Rung.STORED, entry.at(), false));
        }
      }
      case RunEvent.TurnEnded _ -> holdWaiting(entry.run());
      case RunEvent.RunPicked _ -> holdWaiting(entry.run());
      case RunEvent.SteerEnded it -> {
        forgetWaiting(entry.run(), it.steer());
        synchronized (reached) {
          reached.remove(it.steer());
        }
        if (isOfThisHub(entry)) {
          synchronized (ends) {
            ends.merge(it.ended().wire(), 1L, Long::sum);
          }
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
          note(LatencyStage.STOP_TO_ENDED, asked, entry);
        }
      }
      default -> {} // not measured
    }
  }

  private boolean isOfThisHub(LogEntry entry) {
    return entry.cursor() > startedAfter;
  }

  private void stored(RunEvent.SteerStored it, LogEntry entry) {
    waiting.computeIfAbsent(entry.run(), _ -> new HashSet<>()).add(it.steer());
    boolean held = it.mode() == SteerMode.FOLLOW_UP || it.mode() == SteerMode.NEXT;
    synchronized (reached) {
      reached.merge(
          it.steer(),
          new Reached(Rung.STORED, entry.at(), held),
          (known, ours) -> held ? known.whenHeld() : known);
    }
  }

  private void hold(SteerId steer) {
    synchronized (reached) {
      reached.computeIfPresent(steer, (_, known) -> known.whenHeld());
    }
  }

  /** Steers that are not written when a turn ends, or when their run starts, had to wait for it. */
  private void holdWaiting(RunId run) {
    waiting.getOrDefault(run, Set.of()).forEach(this::hold);
  }

  private void forgetWaiting(RunId run, SteerId steer) {
    waiting.computeIfPresent(
        run,
        (_, steers) -> {
          steers.remove(steer);
          return steers.isEmpty() ? null : steers;
        });
  }

  private void raised(RunEvent.SteerRaised it, LogEntry entry) {
    forgetWaiting(entry.run(), it.steer());
    @Nullable Reached before;
    synchronized (reached) {
      before = reached.put(it.steer(), new Reached(it.rung(), entry.at(), false));
    }
    if (before != null && !before.held()) {
      hop(before.rung(), it.rung()).ifPresent(hop -> note(hop, before.at(), entry));
    }
  }

  /** Returns the stage between two rungs; empty if another rung is between them. */
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

  private void note(LatencyStage hop, Instant from, LogEntry to) {
    Duration time = Duration.between(from, to.at());
    if (isOfThisHub(to)) {
      timing(hop).took(time, to.at());
    } else {
      timing(hop).tookBeforeStart(time, to.at());
    }
  }

  private LatencyHistogram timing(LatencyStage hop) {
    return Objects.requireNonNull(timings.get(hop));
  }

  private void storeRequests() {
    storedAt = clock.instant();
    String counts = timing(LatencyStage.REQUEST_TO_DURABLE).write(storedAt);
    ledger
        .writeAsync(
            Priority.LAZY,
            tx -> {
              tx.putSetting(settingName, counts);
              return counts;
            })
        .join();
  }

  @Override
  public void close() {
    follower.close();
    try {
      storeRequests();
    } catch (RuntimeException e) {
      LOG.log(
          Level.WARNING,
          "Storing the latency of requests failed ({0}). The next hub counts them anew.",
          e.getMessage());
    }
  }

  /** A stage of a steer or of a stop. */
  public enum LatencyStage {
    /** From the request to the commit that makes the steer durable. */
    REQUEST_TO_DURABLE,
    /** From the commit to the write into the agent's input. */
    DURABLE_TO_WRITTEN,
    /** From the write to the agent's report that it has the steer. */
    WRITTEN_TO_ACCEPTED,
    /** From accepted to injected; the agent decides when. */
    ACCEPTED_TO_INJECTED,
    /** From the request to stop a run to the end of its last process. */
    STOP_TO_ENDED;

    public String wire() {
      return WireNames.name(this);
    }
  }
}
