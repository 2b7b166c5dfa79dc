package dev.midcourse.agents.process.output;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Lets readers with much to read run one after the other, in the order of their requests, so that
 * other threads get processor time in between.
 *
 * <p>The scheduler of virtual threads is not fair. A carrier continues with the queue at which it
 * looks, and a thread that yields returns to that same queue, so a few busy threads can starve all
 * others. Here each reader waits until a platform thread gives it a turn, and the carriers empty
 * their queues in the meantime. A reader that blocks does not delay the others: the next turn
 * begins after 1 ms at the latest.
 */
final class FairReadScheduler implements AutoCloseable {

  private static final Duration MAX_TURN = Duration.ofMillis(1);

  private final LinkedBlockingQueue<Turn> waiting = new LinkedBlockingQueue<>();
  private final Thread caller = Thread.ofPlatform().name("turns").daemon().unstarted(this::callAll);
  private volatile boolean closed;

  private FairReadScheduler() {}

  static FairReadScheduler open() {
    FairReadScheduler turns = new FairReadScheduler();
    turns.caller.start();
    return turns;
  }

  /** One turn of a reader, which ends when it is closed. */
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
        boolean _ = turn.over.await(MAX_TURN.toNanos(), TimeUnit.NANOSECONDS);
      }
    } catch (InterruptedException end) {
      // Closed.
    }
    waiting.forEach(turn -> turn.called.countDown());
  }

  /** Stops the scheduler. All current and later callers get their turn at once. */
  @Override
  public void close() {
    closed = true;
    caller.interrupt();
  }
}
