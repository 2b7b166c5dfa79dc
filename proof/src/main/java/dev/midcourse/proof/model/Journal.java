package dev.midcourse.proof.model;

import dev.midcourse.proof.model.wire.ModelRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/** The requests of one kind in one lane. Thread-safe. */
final class Journal {
  /** Guards {@code entries}. */
  private final ReentrantLock lock = new ReentrantLock();

  private final Condition changed = lock.newCondition();
  private final List<RecordedRequest> entries = new ArrayList<>();

  /** Adds an open request and returns its number. */
  int add(Instant at, String body, ModelRequest request, Step played) {
    lock.lock();
    try {
      int number = entries.size() + 1;
      entries.add(
          new RecordedRequest(number, at, body, request, played, RecordedRequest.Outcome.OPEN));
      changed.signalAll();
      return number;
    } finally {
      lock.unlock();
    }
  }

  void settle(int number, RecordedRequest.Outcome outcome) {
    lock.lock();
    try {
      entries.set(number - 1, entries.get(number - 1).became(outcome));
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  Requests snapshot() {
    lock.lock();
    try {
      return new Requests(entries);
    } finally {
      lock.unlock();
    }
  }

  /** Waits until the function returns a value. */
  <T> T await(String what, Duration atMost, Function<Requests, Optional<T>> question)
      throws InterruptedException {
    lock.lock();
    try {
      long left = atMost.toNanos();
      while (true) {
        var answer = question.apply(new Requests(entries));
        if (answer.isPresent()) {
          return answer.get();
        }
        if (left <= 0) {
          throw new IllegalStateException(
              "no " + what + " within " + atMost + "; " + new Requests(entries));
        }
        left = changed.awaitNanos(left);
      }
    } finally {
      lock.unlock();
    }
  }
}
