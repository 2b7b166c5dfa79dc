package dev.midcourse.core.time;

import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/**
 * Times as an agent and a person read them: {@code Jan 1, 2024, 1:30 PM}, in their own time zone.
 * The text equals the one of {@code Intl.DateTimeFormat} for {@code en-US} with numeric year, day
 * and hour, short month, two-digit minute and twelve hours, in ASCII.
 */
public final class LocalTimeFormat {
  private static final DateTimeFormatter FORMAT =
      DateTimeFormatter.ofPattern("MMM d, y, h:mm a", Locale.US);

  private LocalTimeFormat() {}

  public static String formatLocalTime(Instant time, ZoneId zone) {
    return FORMAT.format(time.atZone(zone));
  }
}
