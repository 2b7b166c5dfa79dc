package dev.midcourse.cli.format;

import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;

/** A time of day of this machine, such as 10:25. */
public final class ClockText {
  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm");

  private ClockText() {}

  public static String time(Instant at) {
    return TIME.format(LocalTime.ofInstant(at, ZoneId.systemDefault()));
  }
}
