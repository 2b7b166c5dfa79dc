package dev.midcourse.channels.discord.api;

import java.time.Instant;

/** The ids of Discord: decimal numbers that begin with the time of their creation. */
public final class Snowflake {
  private static final long EPOCH_MILLIS = 1_420_070_400_000L; // the first second of 2015
  private static final int TIME_SHIFT = 22;
  private static final int MAX_DIGITS = 19;

  private Snowflake() {}

  public static boolean isValid(String text) {
    if (text.isEmpty() || text.length() > MAX_DIGITS) {
      return false;
    }
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) < '0' || text.charAt(i) > '9') {
        return false;
      }
    }
    return text.length() < MAX_DIGITS || text.compareTo(Long.toString(Long.MAX_VALUE)) <= 0;
  }

  /** When the object with this valid id was created. */
  public static Instant time(String id) {
    return Instant.ofEpochMilli((Long.parseLong(id) >> TIME_SHIFT) + EPOCH_MILLIS);
  }

  /** The smallest id of an object that is created at this time. */
  public static String at(Instant time) {
    long millis = Math.max(0, time.toEpochMilli() - EPOCH_MILLIS);
    return Long.toString(millis << TIME_SHIFT);
  }

  /** Whether the object with the first valid id is newer. */
  public static boolean isAfter(String id, String other) {
    return Long.parseLong(id) > Long.parseLong(other);
  }
}
