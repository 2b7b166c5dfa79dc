package dev.midcourse.core.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.midcourse.core.RefusedException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LocalTimeTest {

  /** The texts are those of Node 20 with the options of NanoClaw v1. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          2024-01-01T00:00:00Z      | UTC              | Jan 1, 2024, 12:00 AM
          2024-01-01T12:00:00Z      | UTC              | Jan 1, 2024, 12:00 PM
          2024-01-01T18:30:00Z      | America/New_York | Jan 1, 2024, 1:30 PM
          2026-06-15T12:00:00Z      | America/New_York | Jun 15, 2026, 8:00 AM
          2026-06-15T12:00:00Z      | Asia/Tokyo       | Jun 15, 2026, 9:00 PM
          2026-06-15T23:05:09.999Z  | Asia/Kolkata     | Jun 16, 2026, 4:35 AM
          2026-12-31T23:59:59Z      | Europe/Berlin    | Jan 1, 2027, 12:59 AM
          2026-05-10T09:07:00+02:00 | Asia/Kathmandu   | May 10, 2026, 12:52 PM
          2026-09-03T00:00:00Z      | UTC              | Sep 3, 2026, 12:00 AM
          0005-09-01T00:00:00Z      | UTC              | Sep 1, 5, 12:00 AM
          -0001-09-01T00:00:00Z     | UTC              | Sep 1, 2, 12:00 AM
          +12345-03-01T00:00:00Z    | UTC              | Mar 1, 12345, 12:00 AM
          1880-01-01T00:00:00Z      | Europe/Berlin    | Jan 1, 1880, 12:53 AM
          2024-01-01T00:00:00Z      | IST-2            | Jan 1, 2024, 12:00 AM
          2024-01-01T00:00:00Z      | ''               | Jan 1, 2024, 12:00 AM
          """)
  void a_time_is_written_as_intl_writes_it(String time, String zone, String text) {
    assertThat(
            LocalTimeFormat.formatLocalTime(
                OffsetDateTime.parse(time).toInstant(), TimeZones.parseOrUtc(zone)))
        .isEqualTo(text);
  }

  /** Seen to fail when the formatter takes the locale of the machine. */
  @Test
  void the_locale_of_the_machine_changes_nothing() {
    Locale before = Locale.getDefault();
    try {
      Locale.setDefault(Locale.of("ar", "EG"));
      assertThat(
              LocalTimeFormat.formatLocalTime(
                  Instant.parse("2026-05-10T09:07:00Z"), ZoneId.of("Europe/Berlin")))
          .isEqualTo("May 10, 2026, 11:07 AM");
    } finally {
      Locale.setDefault(before);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          2026-01-15T21:00          | America/New_York | 2026-01-16T02:00:00Z
          2026-07-15T21:00:00       | America/New_York | 2026-07-16T01:00:00Z
          2026-01-15                | Asia/Tokyo       | 2026-01-14T15:00:00Z
          2026-01-15 21:00          | Asia/Tokyo       | 2026-01-15T12:00:00Z
          2026-01-15T21:00Z         | Asia/Tokyo       | 2026-01-15T21:00:00Z
          2026-01-15T21:00:00.5Z    | Asia/Tokyo       | 2026-01-15T21:00:00.500Z
          2026-01-15T21:00+05:30    | Asia/Tokyo       | 2026-01-15T15:30:00Z
          2026-03-08T03:30          | America/New_York | 2026-03-08T07:30:00Z
          2026-10-25T02:30          | Europe/Berlin    | 2026-10-25T00:30:00Z
          2026-03-29T02:30          | Europe/Berlin    | 2026-03-29T01:00:00Z
          2026-01-15T21:00          | Mars/Olympus     | 2026-01-15T21:00:00Z
          """)
  void a_time_without_an_offset_is_local(String text, String zone, String instant) {
    assertThat(LocalTimeReader.parse("at", text, TimeZones.parseOrUtc(zone)))
        .isEqualTo(Instant.parse(instant));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "tomorrow",
        "",
        "2026-13-01",
        "2026-02-30T10:00",
        "2026-01-15T25:00",
        "2026-01-15T",
        "10:00"
      })
  void text_that_is_no_time_is_refused(String text) {
    assertThatThrownBy(() -> LocalTimeReader.parse("at", text, TimeZones.UTC))
        .isInstanceOfSatisfying(
            RefusedException.class,
            refused -> {
              assertThat(refused.problem().field()).isEqualTo("at");
              assertThat(refused.problem().rule()).startsWith("a local time such as");
            });
  }

  @ParameterizedTest
  @CsvSource({"Europe/Berlin,Europe/Berlin", "america/new_york,America/New_York", "utc,UTC"})
  void a_zone_is_named_in_any_case(String name, String zone) {
    assertThat(TimeZones.parse("time_zone", name).getId()).isEqualTo(zone);
  }

  @ParameterizedTest
  @CsvSource({
    "IST-2,''",
    "'',''",
    "+02:00,''",
    "Berlin,Did you mean Europe/Berlin?",
    "new york,Did you mean America/New_York?",
    "Europe/Belin,Did you mean Europe/Berlin?"
  })
  void an_unknown_zone_is_refused_with_the_probable_one(String name, String hint) {
    assertThatThrownBy(() -> TimeZones.parse("time_zone", name))
        .isInstanceOf(RefusedException.class)
        .hasMessageStartingWith("time_zone must be an IANA time zone")
        .hasMessageEndingWith(hint);
  }
}
