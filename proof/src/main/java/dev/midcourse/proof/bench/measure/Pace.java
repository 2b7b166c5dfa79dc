package dev.midcourse.proof.bench.measure;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * Measures in rounds and corrects for the speed of a shared machine, which may be half for some
 * seconds. During each round, a thread repeats a fixed piece of work and measures its processor
 * time. Rounds in which this work was much slower than in the fastest round do not count; the
 * measured figure has no influence on that. The report lists all rounds.
 */
public final class Pace implements AutoCloseable {
  private static final int ROUNDS = 3;

  /** A round counts unless its fixed work took this factor longer than in the fastest round. */
  private static final double MAX_SLOWDOWN = 1.25;

  private static final int STEPS = 4_000;
  private static final int MAX_CHECKS = 300;
  private static final int PLACES = 1 << 21;
  private static final int WARM_UP_CALLS = 5_000;
  private static final Duration CHECK_INTERVAL = Duration.ofMillis(10);

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final Thread worker = Thread.ofPlatform().daemon().name("pace").unstarted(this::work);
  private final int[] far = new Random(7).ints(PLACES, 0, PLACES).toArray();
  private final AtomicLong nanos = new AtomicLong();
  private final AtomicLong pieces = new AtomicLong();
  private volatile long result;
  private volatile boolean closed;

  /** The combined result of the rounds that count, and a text about all rounds. */
  public record Kept<T>(T found, String description) {}

  private record Round<T>(T found, double nanosOfAPiece) {}

  public Pace() {
    worker.start();
  }

  /**
   * Runs a measurement in rounds.
   *
   * @param typical the figure of a round that is told beside its pace, in milliseconds
   * @param together makes one of what the rounds that count have found
   */
  public <T> Kept<T> rounds(
      ToDoubleFunction<T> typical, Function<List<T>, T> together, Callable<T> round)
      throws Exception {
    while (pieces.get() == 0) {
      Thread.sleep(CHECK_INTERVAL); // wait until the fixed work is compiled
    }
    List<Round<T>> all = new ArrayList<>();
    for (int i = 0; i < ROUNDS; i++) {
      long nanosBefore = nanos.get();
      long piecesBefore = pieces.get();
      T found = round.call();
      long done = Math.max(1, pieces.get() - piecesBefore);
      all.add(new Round<>(found, (double) (nanos.get() - nanosBefore) / done));
    }
    double quickest = all.stream().mapToDouble(Round::nanosOfAPiece).min().orElseThrow();
    List<T> counted =
        all.stream()
            .filter(one -> one.nanosOfAPiece() <= MAX_SLOWDOWN * quickest)
            .map(Round::found)
            .toList();
    String description =
        all.stream()
            .map(one ->
                "%s ms at %.2f"
                    .formatted(
                        Report.number(typical.applyAsDouble(one.found())),
                        one.nanosOfAPiece() / quickest))
            .collect(Collectors.joining(", "));
    return new Kept<>(together.apply(counted), description);
  }

  /** Runs a measurement of times in rounds. */
  public Kept<Samples> samples(Callable<Samples> round) throws Exception {
    return rounds(samples -> samples.millis(0.5), Samples::together, round);
  }

  /** Runs a measurement of one figure in rounds; the result is the median, or the worse of two. */
  public Kept<Double> figure(Callable<Double> round) throws Exception {
    return rounds(
        Double::doubleValue, all -> all.stream().sorted().toList().get(all.size() / 2), round);
  }

  private void work() {
    for (int i = 0; i < WARM_UP_CALLS; i++) {
      result = piece(i);
    }
    try {
      for (int i = 0; !closed; i++) {
        long began = THREADS.getCurrentThreadCpuTime();
        result = piece(i);
        nanos.addAndGet(THREADS.getCurrentThreadCpuTime() - began);
        pieces.incrementAndGet();
        Thread.sleep(CHECK_INTERVAL);
      }
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Does the fixed piece of work. It uses both resources that other load takes away: parallel steps
   * in the core, and cache for distant memory.
   */
  private long piece(int seed) {
    long a = result + 1;
    long b = result + 2;
    long c = result + 3;
    long d = result + 4;
    for (int i = 0; i < STEPS; i++) {
      a = step(a);
      b = step(b);
      c = step(c);
      d = step(d);
    }
    int place = seed & (PLACES - 1);
    for (int i = 0; i < MAX_CHECKS; i++) {
      place = far[place];
    }
    return a + b + c + d + place;
  }

  private static long step(long state) {
    long next = state ^ (state << 13);
    next ^= next >>> 7;
    return next ^ (next << 17);
  }

  @Override
  public void close() throws InterruptedException {
    closed = true;
    worker.interrupt();
    worker.join();
  }
}
