package dev.midcourse.hub.http.route;

import dev.midcourse.core.Problem;
import dev.midcourse.core.WireNames;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as people write them: 500ms, 30s, 5m, 2h, 30d. */
public final class Durations {
  private static final String RULE = "a number and one of: ms, s, m, h, d";
  private static final Pattern SHAPE = Pattern.compile("(\\d{1,9})(ms|s|m|h|d)");

  private Durations() {}

  /**
   * Returns the duration of a text like {@code 30s}. Refuses any other text by the name of its
   * field.
   */
  public static Duration parse(String field, String text) {
    Matcher matcher = SHAPE.matcher(text);
    if (!matcher.matches()) {
      throw Problem.invalid(
              field, RULE, field + " must be like 30s, 5m or 2h; got " + WireNames.shown(text))
          .refused();
    }
    long count = Long.parseLong(matcher.group(1));
    return switch (matcher.group(2)) {
      case "ms" -> Duration.ofMillis(count);
      case "s" -> Duration.ofSeconds(count);
      case "m" -> Duration.ofMinutes(count);
      case "h" -> Duration.ofHours(count);
      default -> Duration.ofDays(count);
    };
  }
}
