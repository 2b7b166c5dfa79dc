package dev.midcourse.agents.rehearsal;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Simulates the duration of tools that only wait. All in-process agents of a driver share one
 * instance.
 */
record Clock(ScheduledExecutorService executor, Duration toolTime) {
  private static final Pattern SLEEP = Pattern.compile("\\bsleep ([0-9]{1,6}(?:\\.[0-9]{1,3})?)");

  /**
   * Returns the sum of the command's {@code sleep}s, or {@code toolTime} if the command has none.
   */
  Duration of(String command) {
    Duration sum = Duration.ZERO;
    Matcher sleep = SLEEP.matcher(command);
    while (sleep.find()) {
      sum = sum.plusMillis(Math.round(Double.parseDouble(sleep.group(1)) * 1000));
    }
    return sum.isZero() ? toolTime : sum;
  }

  Future<?> after(Duration time, Runnable then) {
    return executor.schedule(
        () -> Thread.startVirtualThread(then), time.toNanos(), TimeUnit.NANOSECONDS);
  }
}
