package dev.midcourse.cli.screen;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;

/** Formats durations: {@code 3 s}, {@code 12 min}, {@code 2 h}, {@code 5 d}. */
public final class DurationText {
  private static final MathContext TWO_DIGITS = new MathContext(2, RoundingMode.HALF_UP);
  private static final BigDecimal MILLIS_PER_SECOND = BigDecimal.valueOf(1_000);

  private DurationText() {}

  /** Returns a duration in the one unit that fits. */
  public static String span(Duration duration) {
    long seconds = Math.max(0, duration.toSeconds());
    if (seconds < 120) {
      return seconds + " s";
    }
    long minutes = seconds / 60;
    if (minutes < 120) {
      return minutes + " min";
    }
    long hours = minutes / 60;
    return hours < 48 ? hours + " h" : hours / 24 + " d";
  }

  public static String ago(Instant then, Instant now) {
    Duration since = Duration.between(then, now);
    return since.toMillis() < 1000 ? "now" : span(since) + " ago";
  }

  /** Returns a short duration to the millisecond: {@code 4 ms}, {@code 1.25 s}. */
  public static String fine(Duration duration) {
    long millis = Math.max(0, duration.toMillis());
    if (millis < 1000) {
      return millis + " ms";
    }
    if (millis < 100_000) {
      long hundredths = millis % 1000 / 10;
      return millis / 1000 + "." + (hundredths < 10 ? "0" : "") + hundredths + " s";
    }
    return span(duration);
  }

  /** Returns a measured time to two digits: {@code 0.83 ms}, {@code 15 ms}, {@code 1.9 s}. */
  public static String rough(BigDecimal millis) {
    BigDecimal two = millis.round(TWO_DIGITS);
    return two.compareTo(MILLIS_PER_SECOND) < 0
        ? two.toPlainString() + " ms"
        : two.movePointLeft(3).toPlainString() + " s";
  }

  /** Returns a running clock: {@code 0:07}, {@code 12:30}, {@code 1:02:03}. */
  public static String clock(Duration duration) {
    long seconds = Math.max(0, duration.toSeconds());
    String end = two(seconds / 60 % 60) + ":" + two(seconds % 60);
    return seconds < 3600 ? end.substring(end.startsWith("0") ? 1 : 0) : seconds / 3600 + ":" + end;
  }

  private static String two(long number) {
    return number < 10 ? "0" + number : Long.toString(number);
  }
}
