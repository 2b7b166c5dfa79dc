package dev.midcourse.channels.slack.api;

import dev.midcourse.core.Utf8;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** The forms of Slack's ids, times and names. */
public final class SlackIds {
  private static final Pattern ID = Pattern.compile("[A-Z][A-Z0-9]{1,39}");
  private static final Pattern TS = Pattern.compile("\\d{1,12}\\.\\d{1,9}");
  private static final int MAX_NAME = 200;

  private SlackIds() {}

  /** Whether it is an id, such as that of a channel or user. */
  public static boolean isId(String text) {
    return ID.matcher(text).matches();
  }

  /** Whether it is the id of a message: its time, as a decimal. */
  public static boolean isTs(String text) {
    return TS.matcher(text).matches();
  }

  /** A direct message has an id of its own kind. */
  public static boolean isDirect(String channel) {
    return channel.startsWith("D");
  }

  /** The time that is in the id of a message. */
  public static Instant instant(String ts) {
    try {
      BigDecimal seconds = new BigDecimal(ts);
      return Instant.ofEpochSecond(
          seconds.longValue(), seconds.remainder(BigDecimal.ONE).movePointRight(9).longValue());
    } catch (NumberFormatException | DateTimeException e) {
      throw new IllegalArgumentException("not the id of a message", e);
    }
  }

  /** The id that a message of this time would have. */
  public static String ts(Instant at) {
    return String.format(Locale.ROOT, "%d.%06d", at.getEpochSecond(), at.getNano() / 1_000);
  }

  public static String before(String ts, Duration time) {
    Instant earlier = instant(ts).minus(time);
    return ts(earlier.isBefore(Instant.EPOCH) ? Instant.EPOCH : earlier);
  }

  /** A name for display, without control characters and bounded. */
  public static Optional<String> name(String text) {
    String plain = text.replaceAll("\\p{Cntrl}", " ").strip();
    int end = Math.min(plain.length(), MAX_NAME);
    if (end > 0 && end < plain.length() && Character.isHighSurrogate(plain.charAt(end - 1))) {
      end--;
    }
    String bounded = plain.substring(0, end);
    return bounded.isBlank() || !Utf8.isWhole(bounded) ? Optional.empty() : Optional.of(bounded);
  }
}
