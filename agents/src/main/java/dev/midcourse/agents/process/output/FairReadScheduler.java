package dev.midcourse.agents.process.output;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Lets those who have much to do go one after the other, in the order in which they asked, so that
 * others get at the processors in between.
 *
 * <p>The scheduler of virtual threads is not fair: a carrier goes on with what is in the queue it
 * looks at, and a thread that yields comes back into that very queue, so a few busy ones can keep
 * all others out for ever. Here each waits for a platform thread to call it, which empties the
 * carriers' queues in between. Whoever takes long, waiting for something else, does not hold up the
 * others: after a moment the next one is called.
 */
final class FairReadScheduler implements AutoCloseable {

  private static final Duration MOMENT = Duration.ofMillis(1);

  private final LinkedBlockingQueue<Turn> waiting = new LinkedBlockingQueue<>();
  private final Thread caller = Thread.ofPlatform().name("turns").daemon().unstarted(this::callAll);
  private volatile boolean closed;

  private FairReadScheduler() {}

  static FairReadScheduler open() {
    FairReadScheduler turns = new FairReadScheduler();
    turns.caller.start();
    return turns;
  }

  /** One turn, over when closed. */
  static final class Turn implements AutoCloseable {
    private final CountDownLatch called = new CountDownLatch(1);
    private final CountDownLatch over = new CountDownLatch(1);

    @Override
    public void close() {
      over.countDown();
    }
  }

  /** Waits for a turn. */
  Turn take() throws InterruptedException {
    Turn turn = new Turn();
    waiting.add(turn);
    if (closed) {
      turn.called.countDown();
    }
    turn.called.await();
    return turn;
  }

  private void callAll() {
    try {
      while (!closed) {
        Turn turn = waiting.take();
        turn.called.countDown();
        boolean _ = turn.over.await(MOMENT.toNanos(), TimeUnit.NANOSECONDS);
      }
    } catch (InterruptedException end) {
      // Closed.
    }
    waiting.forEach(turn -> turn.called.countDown());
  }

  /** Whoever waits, now or later, goes at once. */
  @Override
  public void close() {
    closed = true;
    caller.interrupt();
  }
}
