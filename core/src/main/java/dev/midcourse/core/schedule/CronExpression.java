package dev.midcourse.core.schedule;

import com.cronutils.model.Cron;
import com.cronutils.model.definition.CronDefinition;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.field.CronFieldName;
import com.cronutils.model.field.expression.Always;
import com.cronutils.model.field.expression.FieldExpression;
import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;
import dev.midcourse.core.Problem;
import dev.midcourse.core.WireNames;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A valid cron expression: five fields, six with seconds in front, or a name such as
 * {@code @daily}. Monday is 1, and Sunday is 0 or 7. If both the day of the month and the day of
 * the week are restricted, a day that matches one of them matches.
 *
 * <p>The library decides which local times match. It is asked in UTC only, where no time is skipped
 * or repeated; {@link ScheduleTimes} has the rules for changes of the clock.
 */
public final class CronExpression {
  private static final String RULE =
      "a cron expression of 5 fields (minute hour day month weekday), 6 with seconds in front, or"
          + " @hourly, @daily, @weekly, @monthly, @yearly";

  private static final int MAX_LENGTH = 200;

  private static final CronDefinition FIVE_FIELDS = fields(CronDefinitionBuilder.defineCron());

  private static final CronDefinition SIX_FIELDS =
      fields(
          CronDefinitionBuilder.defineCron()
              .withSeconds()
              .withValidRange(0, 59)
              .withStrictRange()
              .and());

  private final String text;
  private final ExecutionTime times;
  private final boolean everyHour;

  private CronExpression(String text, Cron cron) {
    this.text = text;
    this.times = ExecutionTime.forCron(cron);
    FieldExpression hours = cron.retrieve(CronFieldName.HOUR).getExpression();
    this.everyHour =
        hours instanceof Always || List.of("*/1", "0-23", "0-23/1").contains(hours.asString());
  }

  /** Reads the expression. Refuses a text that is none, and one that matches no time. */
  public static CronExpression parse(String field, String text) {
    String written = text.strip().replaceAll("\\s+", " ");
    if (written.isEmpty()) {
      throw refusal(field, text, "it is empty");
    }
    if (written.length() > MAX_LENGTH) {
      throw refusal(field, text, "it is longer than " + MAX_LENGTH + " characters");
    }
    if (!written.chars().allMatch(letter -> letter < 128)) {
      throw refusal(field, text, "it has other characters than ASCII");
    }
    CronExpression parsed;
    try {
      String folded = written.startsWith("@") ? written.toLowerCase(Locale.ROOT) : written;
      boolean six = folded.split(" ", -1).length == 6;
      Cron cron = new CronParser(six ? SIX_FIELDS : FIVE_FIELDS).parse(folded).validate();
      parsed = new CronExpression(folded, cron);
    } catch (RuntimeException bad) {
      throw refusal(field, text, reason(bad));
    }
    if (parsed.nextLocal(LocalDateTime.of(2000, 1, 1, 0, 0)).isEmpty()) {
      throw refusal(field, text, "no day matches it");
    }
    return parsed;
  }

  private static String reason(RuntimeException bad) {
    String message = Optional.ofNullable(bad.getMessage()).orElse("it cannot be read");
    return message.startsWith("Cron expression contains")
        ? "it has not 5 or 6 fields"
        : message.replace("Failed to parse cron expression. ", "");
  }

  private static RuntimeException refusal(String field, String text, String reason) {
    return Problem.invalid(
            field,
            RULE,
            field + " must be " + RULE + "; got " + WireNames.shown(text) + ": " + reason)
        .refused();
  }

  private static CronDefinition fields(CronDefinitionBuilder before) {
    return before
        .withMinutes()
        .withValidRange(0, 59)
        .withStrictRange()
        .and()
        .withHours()
        .withValidRange(0, 23)
        .withStrictRange()
        .and()
        .withDayOfMonth()
        .withValidRange(1, 31)
        .supportsL()
        .supportsW()
        .supportsLW()
        .withStrictRange()
        .and()
        .withMonth()
        .withValidRange(1, 12)
        .withStrictRange()
        .and()
        .withDayOfWeek()
        .withValidRange(0, 7)
        .withMondayDoWValue(1)
        .withIntMapping(7, 0)
        .supportsHash()
        .supportsL()
        .and()
        .withSupportedNicknameYearly()
        .withSupportedNicknameAnnually()
        .withSupportedNicknameMonthly()
        .withSupportedNicknameWeekly()
        .withSupportedNicknameDaily()
        .withSupportedNicknameMidnight()
        .withSupportedNicknameHourly()
        .instance();
  }

  /** The first local time after this one that matches. */
  Optional<LocalDateTime> nextLocal(LocalDateTime after) {
    return times.nextExecution(after.atZone(ZoneOffset.UTC)).map(ZonedDateTime::toLocalDateTime);
  }

  boolean matches(LocalDateTime time) {
    return nextLocal(time.minusSeconds(1)).filter(time::equals).isPresent();
  }

  /**
   * Whether the expression leaves the hour open, so that it names an interval and no time of day.
   */
  boolean isEveryHour() {
    return everyHour;
  }

  public String text() {
    return text;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof CronExpression cron && cron.text.equals(text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  @Override
  public String toString() {
    return text;
  }
}
