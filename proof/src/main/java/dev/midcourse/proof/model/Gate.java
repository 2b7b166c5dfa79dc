package dev.midcourse.proof.model;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A place where the model waits until a test lets it go on. The test can wait, in turn, until the
 * model is there, so that neither has to guess how long the other takes.
 */
public final class Gate {
  private final String name;
  private final CountDownLatch reached = new CountDownLatch(1);
  private final CountDownLatch open = new CountDownLatch(1);

  public Gate(String name) {
    this.name = name;
  }

  /** Lets the model through, now and whenever it comes here. */
  public void open() {
    open.countDown();
  }

  /** Waits until the model stands at this gate. */
  public void awaitReached(Duration atMost) throws InterruptedException {
    if (!reached.await(atMost.toMillis(), TimeUnit.MILLISECONDS)) {
      throw new IllegalStateException("the model did not reach " + this + " within " + atMost);
    }
  }

  void pass() throws InterruptedException {
    reached.countDown();
    open.await();
  }

  @Override
  public String toString() {
    return "gate " + name;
  }
}
