package dev.midcourse.core.time;

import dev.midcourse.core.Problem;
import dev.midcourse.core.WireNames;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.DateTimeParseException;
import java.time.format.ResolverStyle;
import java.time.temporal.TemporalAccessor;
import java.time.zone.ZoneOffsetTransition;
import java.util.Locale;

/**
 * Reads times as people and agents write them. A time without an offset is local to the given zone;
 * a date alone is its midnight; a time with {@code Z} or an offset is taken as it is.
 */
public final class LocalTimeReader {
  private static final String RULE =
      "a local time such as 2026-01-15T21:00, a date, or a time with an offset";

  private static final DateTimeFormatter FORMAT =
      new DateTimeFormatterBuilder()
          .append(DateTimeFormatter.ISO_LOCAL_DATE)
          .appendPattern("[['T'][ ]")
          .append(DateTimeFormatter.ISO_LOCAL_TIME)
          .appendPattern("[XXX]]")
          .toFormatter(Locale.ROOT)
          .withResolverStyle(ResolverStyle.STRICT);

  private LocalTimeReader() {}

  /** Returns the instant of the text. Refuses a text that is no time. */
  public static Instant parse(String field, String text, ZoneId zone) {
    try {
      TemporalAccessor parsed =
          FORMAT.parseBest(
              text.strip(), OffsetDateTime::from, LocalDateTime::from, LocalDate::from);
      return switch (parsed) {
        case OffsetDateTime time -> time.toInstant();
        case LocalDateTime time -> toInstant(time, zone);
        case LocalDate date -> toInstant(date.atStartOfDay(), zone);
        default -> throw new IllegalStateException("unexpected " + parsed.getClass());
      };
    } catch (DateTimeParseException e) {
      throw Problem.invalid(
              field, RULE, field + " must be " + RULE + "; got " + WireNames.shown(text))
          .refused();
    }
  }

  /**
   * Returns the instant at which clocks in the zone show this time. A time that the clocks skip in
   * spring is the first instant after the gap. Of a time that they show twice in autumn it is the
   * first.
   */
  public static Instant toInstant(LocalDateTime time, ZoneId zone) {
    ZoneOffsetTransition transition = zone.getRules().getTransition(time);
    if (transition != null && transition.isGap()) {
      return transition.getInstant();
    }
    return time.atZone(zone).withEarlierOffsetAtOverlap().toInstant();
  }
}
