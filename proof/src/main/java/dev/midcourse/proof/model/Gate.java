package dev.midcourse.proof.model;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A point at which the model waits until a test opens the gate. The test can wait until the model
 * has reached it, so that neither needs a timeout for the other.
 */
public final class Gate {
  private final String name;
  private final CountDownLatch reached = new CountDownLatch(1);
  private final CountDownLatch open = new CountDownLatch(1);

  public Gate(String name) {
    this.name = name;
  }

  /** Opens the gate, now and for every later arrival of the model. */
  public void open() {
    open.countDown();
  }

  /** Waits until the model has reached this gate. */
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
