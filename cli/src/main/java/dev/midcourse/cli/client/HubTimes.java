package dev.midcourse.cli.client;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;

/** Parses the hub's times without loading the classes of {@code java.time.format}. */
public final class HubTimes {
  private static final int MIN_LENGTH = "2026-01-01T00:00:00Z".length();

  private HubTimes() {}

  /**
   * Parses an instant such as {@code 2026-11-15T22:25:31.123Z}; empty if the text has another form.
   */
  public static Optional<Instant> of(String text) {
    boolean shaped =
        text.length() >= MIN_LENGTH
            && text.charAt(4) == '-'
            && text.charAt(7) == '-'
            && text.charAt(10) == 'T'
            && text.charAt(13) == ':'
            && text.charAt(16) == ':'
            && text.endsWith("Z");
    if (!shaped) {
      return Optional.empty();
    }
    try {
      long seconds =
          days(number(text, 0, 4), number(text, 5, 7), number(text, 8, 10)) * 86_400L
              + number(text, 11, 13) * 3_600L
              + number(text, 14, 16) * 60L
              + number(text, 17, 19);
      return Optional.of(Instant.ofEpochSecond(seconds, nanos(text)));
    } catch (NumberFormatException | DateTimeException e) {
      return Optional.empty();
    }
  }

  private static long nanos(String text) {
    if (text.charAt(19) != '.') {
      return 0;
    }
    StringBuilder digits = new StringBuilder(text.substring(20, text.length() - 1));
    while (digits.length() < 9) {
      digits.append('0');
    }
    return Long.parseLong(digits.substring(0, 9));
  }

  private static int number(String text, int from, int to) {
    return Integer.parseInt(text, from, to, 10);
  }

  /** Returns the days since 1970-01-01 in the Gregorian calendar. Years are counted from March. */
  private static long days(int year, int month, int day) {
    int y = month <= 2 ? year - 1 : year;
    int era = Math.floorDiv(y, 400);
    int yearOfEra = y - era * 400;
    int dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    int dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear;
    return era * 146_097L + dayOfEra - 719_468L;
  }
}
