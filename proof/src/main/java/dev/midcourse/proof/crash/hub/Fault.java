package dev.midcourse.proof.crash.hub;

import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Ends this process like SIGKILL when it reaches one fault point for the given time.
 *
 * @param <P> the fault points of a drill
 */
public final class Fault<P extends Enum<P>> {
  private final Optional<P> point;
  private final AtomicInteger left;
  private final Consumer<String> lastOutput;

  private Fault(Optional<P> point, int times, Consumer<String> lastOutput) {
    this.point = point;
    this.left = new AtomicInteger(times);
    this.lastOutput = lastOutput;
  }

  /**
   * Parses text such as {@code before_steer_is_stored:3}; {@code none} is a fault that never
   * happens.
   */
  public static <P extends Enum<P>> Fault<P> of(
      Class<P> points, String words, Consumer<String> lastOutput) {
    String[] parts = words.split(":", 2);
    if (parts.length == 1) {
      return new Fault<P>(Optional.empty(), 0, lastOutput);
    }
    P point = Enum.valueOf(points, parts[0].toUpperCase(Locale.ROOT));
    return new Fault<>(Optional.of(point), Integer.parseInt(parts[1]), lastOutput);
  }

  /** The process is at this point. */
  public void at(P here) {
    if (point.equals(Optional.of(here)) && left.decrementAndGet() == 0) {
      lastOutput.accept("fault " + here.name().toLowerCase(Locale.ROOT));
      Runtime.getRuntime().halt(137);
    }
  }
}
