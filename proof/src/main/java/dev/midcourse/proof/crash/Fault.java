package dev.midcourse.proof.crash;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** Ends this process like SIGKILL when it reaches one fault point for the given time. */
final class Fault {
  private final Optional<FaultPoint> point;
  private final AtomicInteger left;
  private final Consumer<String> lastWords;

  private Fault(Optional<FaultPoint> point, int times, Consumer<String> lastWords) {
    this.point = point;
    this.left = new AtomicInteger(times);
    this.lastWords = lastWords;
  }

  /**
   * Parses text such as {@code before_steer_is_stored:3}; {@code none} is a fault that never
   * happens.
   */
  static Fault of(String words, Consumer<String> lastWords) {
    String[] parts = words.split(":", 2);
    return parts.length == 1
        ? new Fault(Optional.empty(), 0, lastWords)
        : new Fault(Optional.of(FaultPoint.of(parts[0])), Integer.parseInt(parts[1]), lastWords);
  }

  void at(FaultPoint here) {
    if (point.equals(Optional.of(here)) && left.decrementAndGet() == 0) {
      lastWords.accept("fault " + here.word());
      Runtime.getRuntime().halt(137);
    }
  }
}
