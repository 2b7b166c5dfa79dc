package dev.midcourse.proof.bench;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToDoubleFunction;

/**
 * How quick the machine itself is. One that is shared may take twice as long for the same for some
 * seconds, whatever we do. So a figure is measured in rounds, and beside each a fixed piece of work
 * is done again and again and its processor time is taken: the round with the quickest machine is
 * kept. It is chosen by that alone and not by what was measured, and all are told.
 */
final class Pace implements AutoCloseable {
  private static final int ROUNDS = 3;
  private static final int STEPS = 4_000;
  private static final int LOOKS = 300;
  private static final int PLACES = 1 << 21;
  private static final int UNTIL_COMPILED = 5_000;
  private static final Duration BETWEEN = Duration.ofMillis(10);

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final Thread worker = Thread.ofPlatform().daemon().name("pace").unstarted(this::work);
  private final int[] far = new Random(7).ints(PLACES, 0, PLACES).toArray();
  private final AtomicLong nanos = new AtomicLong();
  private final AtomicLong pieces = new AtomicLong();
  private volatile long result;
  private volatile boolean closed;

  /** What the kept round found, and what is to be told of all of them. */
  record Kept<T>(T found, String told) {}

  private record Round<T>(T found, double nanosOfAPiece) {}

  Pace() {
    worker.start();
  }

  /**
   * Measures in rounds.
   *
   * @param usual the figure of a round that is told beside its pace, in milliseconds
   */
  <T> Kept<T> quickest(ToDoubleFunction<T> usual, Callable<T> round) throws Exception {
    List<Round<T>> all = new ArrayList<>();
    for (int i = 0; i < ROUNDS; i++) {
      long nanosBefore = nanos.get();
      long piecesBefore = pieces.get();
      T found = round.call();
      long done = Math.max(1, pieces.get() - piecesBefore);
      all.add(new Round<>(found, (double) (nanos.get() - nanosBefore) / done));
    }
    Round<T> quickest = all.stream().min(Comparator.comparingDouble(Round::nanosOfAPiece)).get();
    List<String> told =
        all.stream()
            .map(one ->
                "%s ms at %.2f"
                    .formatted(
                        Report.number(usual.applyAsDouble(one.found())),
                        one.nanosOfAPiece() / quickest.nanosOfAPiece()))
            .toList();
    return new Kept<>(quickest.found(), String.join(", ", told));
  }

  private void work() {
    for (int i = 0; i < UNTIL_COMPILED; i++) {
      result = piece(i);
    }
    try {
      for (int i = 0; !closed; i++) {
        long began = THREADS.getCurrentThreadCpuTime();
        result = piece(i);
        nanos.addAndGet(THREADS.getCurrentThreadCpuTime() - began);
        pieces.incrementAndGet();
        Thread.sleep(BETWEEN);
      }
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Both of what neighbours take away: room in the core for steps that do not depend on each other,
   * and in the cache for what is far apart in memory.
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
    for (int i = 0; i < LOOKS; i++) {
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
