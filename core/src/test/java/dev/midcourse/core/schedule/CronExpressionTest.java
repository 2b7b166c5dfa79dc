package dev.midcourse.core.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.midcourse.core.RefusedException;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CronExpressionTest {

  private static List<String> next(String cron, String after, int count) {
    List<String> times = new ArrayList<>();
    LocalDateTime time = LocalDateTime.parse(after);
    CronExpression expression = CronExpression.parse("cron", cron);
    while (times.size() < count) {
      Optional<LocalDateTime> next = expression.nextLocal(time);
      time = next.orElseThrow();
      times.add(time.toString());
    }
    return times;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          */10 * * * *   | 2026-04-01T01:03    | 2026-04-01T01:10
          0 0 31 * *     | 2026-04-01T00:00    | 2026-05-31T00:00
          0 9 * * 7      | 2026-11-18T00:00    | 2026-11-22T09:00
          0 9 * * 0      | 2026-11-18T00:00    | 2026-11-22T09:00
          0 9 * * sun    | 2026-11-18T00:00    | 2026-11-22T09:00
          0 9 * * MON-FRI| 2026-11-20T09:00    | 2026-11-23T09:00
          0 9 * * 1-5    | 2026-11-20T09:00    | 2026-11-23T09:00
          0 9 L * *      | 2027-02-01T00:00    | 2027-02-28T09:00
          0 9 LW * *     | 2027-01-01T00:00    | 2027-01-29T09:00
          0 9 * * 5L     | 2026-11-18T00:00    | 2026-11-27T09:00
          0 9 * * 1#2    | 2026-11-18T00:00    | 2026-12-14T09:00
          0 0 29 2 *     | 2026-11-18T00:00    | 2028-02-29T00:00
          30 0 9 * * *   | 2026-11-18T09:00    | 2026-11-18T09:00:30
          */20 * * * * * | 2026-11-18T09:00:20 | 2026-11-18T09:00:40
          @daily         | 2026-11-18T00:00    | 2026-11-19T00:00
          @midnight      | 2026-11-18T00:00    | 2026-11-19T00:00
          @Hourly        | 2026-11-18T00:30    | 2026-11-18T01:00
          @weekly        | 2026-11-18T00:00    | 2026-11-22T00:00
          @monthly       | 2026-11-18T00:00    | 2026-12-01T00:00
          @yearly        | 2026-11-18T00:00    | 2027-01-01T00:00
          @annually      | 2026-11-18T00:00    | 2027-01-01T00:00
          """)
  void an_expression_has_this_next_time(String cron, String after, String next) {
    assertThat(next(cron, after, 1)).containsExactly(next);
  }

  /** Seen to fail when the definition asks for both the day of the month and of the week. */
  @Test
  void the_day_of_the_month_or_the_day_of_the_week_matches_if_both_are_given() {
    assertThat(next("0 9 13 * 5", "2026-12-05T00:00", 3))
        .containsExactly("2026-12-11T09:00", "2026-12-13T09:00", "2026-12-18T09:00");
  }

  @Test
  void equal_texts_are_equal_expressions_whatever_their_spaces() {
    assertThat(CronExpression.parse("cron", "  0  9 * *\t1-5 "))
        .isEqualTo(CronExpression.parse("cron", "0 9 * * 1-5"))
        .hasToString("0 9 * * 1-5");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "   ",
        "bogus",
        "* * * *",
        "* * * * * * *",
        "60 * * * *",
        "*/0 * * * *",
        "0 24 * * *",
        "0 9 * * 8",
        "0 9 0 * *",
        "0 9 1-40 * *",
        "-5 * * * *",
        "5- * * * *",
        "1,,2 * * * *",
        "0 22-2 * * *",
        "0 9 ? * *",
        "0 0 30 2 *",
        "0 9 31 2,4 *",
        "@reboot",
        "@noon",
        "0 9 * * mo",
        "0 9 * * *; rm",
        "٣ * * * *"
      })
  void a_text_that_is_no_expression_or_matches_no_day_is_refused_with_the_reason(String text) {
    assertThatThrownBy(() -> CronExpression.parse("cron", text))
        .isInstanceOfSatisfying(
            RefusedException.class,
            refused -> {
              assertThat(refused.problem().field()).isEqualTo("cron");
              assertThat(refused.problem().message())
                  .startsWith("cron must be a cron expression of 5 fields")
                  .containsPattern("; got \".*\": \\S");
            });
  }
}
