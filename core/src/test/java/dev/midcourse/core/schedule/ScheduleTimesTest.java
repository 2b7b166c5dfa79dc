package dev.midcourse.core.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.core.Seeded;
import dev.midcourse.core.time.TimeZones;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScheduleTimesTest {
  private static final Instant FIRST = Instant.parse("2024-01-01T00:00:00Z");
  private static final Instant LAST = Instant.parse("2031-01-01T00:00:00Z");

  private static List<String> next(String cron, String zone, String after, int count) {
    return ScheduleTimes.next(Timing.Cron.of(cron), ZoneId.of(zone), Instant.parse(after), count)
        .stream()
        .map(Instant::toString)
        .toList();
  }

  /** Seen to fail when the library is asked with the zone of the schedule. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          0 9 * * *    | America/New_York    | 2026-03-07T15:00:00Z | 2026-03-08T13:00:00Z
          0 9 * * *    | America/Los_Angeles | 2026-03-07T18:00:00Z | 2026-03-08T16:00:00Z
          0 9 * * *    | Europe/Berlin       | 2026-03-28T09:00:00Z | 2026-03-29T07:00:00Z
          30 2 * * *   | America/New_York    | 2026-03-07T12:00:00Z | 2026-03-08T07:00:00Z
          30 2 * * *   | America/New_York    | 2026-03-08T07:00:00Z | 2026-03-09T06:30:00Z
          30 2 * * *   | Europe/Berlin       | 2026-03-28T12:00:00Z | 2026-03-29T01:00:00Z
          0,30 2 * * * | Europe/Berlin       | 2026-03-29T01:00:00Z | 2026-03-30T00:00:00Z
          0 2,3 * * *  | Europe/Berlin       | 2026-03-29T01:00:00Z | 2026-03-30T00:00:00Z
          15 2 * * *   | Australia/Lord_Howe | 2026-10-03T12:00:00Z | 2026-10-03T15:30:00Z
          45 2 * * *   | Australia/Lord_Howe | 2026-10-03T12:00:00Z | 2026-10-03T15:45:00Z
          30 0 * * *   | Africa/Cairo        | 2026-04-23T12:00:00Z | 2026-04-23T22:00:00Z
          30 1 * * *   | America/New_York    | 2026-10-31T12:00:00Z | 2026-11-01T05:30:00Z
          30 1 * * *   | America/New_York    | 2026-11-01T05:30:00Z | 2026-11-02T06:30:00Z
          30 1 * * *   | America/New_York    | 2026-11-01T06:15:00Z | 2026-11-02T06:30:00Z
          30 2 * * *   | Europe/Berlin       | 2026-10-24T12:00:00Z | 2026-10-25T00:30:00Z
          30 2 * * *   | Europe/Berlin       | 2026-10-25T00:30:00Z | 2026-10-26T01:30:00Z
          45 1 * * *   | Australia/Lord_Howe | 2026-04-04T12:00:00Z | 2026-04-04T14:45:00Z
          45 1 * * *   | Australia/Lord_Howe | 2026-04-04T14:45:00Z | 2026-04-05T15:15:00Z
          0 9 * * *    | Asia/Kathmandu      | 2026-05-10T00:00:00Z | 2026-05-10T03:15:00Z
          """)
  void t104_a_time_of_day_is_due_once_on_every_day(
      String cron, String zone, String after, String next) {
    assertThat(next(cron, zone, after, 1)).containsExactly(next);
  }

  @Test
  void an_open_hour_is_due_in_each_hour_that_passes_when_clocks_change() {
    assertThat(next("30 * * * *", "America/New_York", "2026-03-08T06:00:00Z", 2))
        .containsExactly("2026-03-08T06:30:00Z", "2026-03-08T07:30:00Z");
    assertThat(next("30 * * * *", "America/New_York", "2026-11-01T05:00:00Z", 3))
        .containsExactly("2026-11-01T05:30:00Z", "2026-11-01T06:30:00Z", "2026-11-01T07:30:00Z");
    assertThat(next("0 * * * *", "Europe/Berlin", "2026-10-24T23:30:00Z", 3))
        .containsExactly("2026-10-25T00:00:00Z", "2026-10-25T01:00:00Z", "2026-10-25T02:00:00Z");
    assertThat(next("0 * * * *", "Australia/Lord_Howe", "2026-04-04T14:00:00Z", 3))
        .containsExactly("2026-04-04T15:30:00Z", "2026-04-04T16:30:00Z", "2026-04-04T17:30:00Z");
  }

  @Test
  void a_single_time_is_due_once() {
    Timing once = Timing.Once.of("2026-11-20 09:00", ZoneId.of("Europe/Berlin"));
    Instant due = Instant.parse("2026-11-20T08:00:00Z");
    assertThat(ScheduleTimes.next(once, TimeZones.UTC, due.minusSeconds(1))).contains(due);
    assertThat(ScheduleTimes.next(once, TimeZones.UTC, due)).isEmpty();
  }

  /** Seen to fail when the offset before the change is applied to times after it. */
  @ParameterizedTest
  @CsvSource({
    "America/New_York, 2026-03-08T03:30, 2026-03-08T07:30:00Z",
    "Europe/Berlin, 2026-10-25T02:30, 2026-10-25T00:30:00Z",
    "Europe/Berlin, 2026-03-29T02:30, 2026-03-29T01:00:00Z",
    "America/New_York, 2026-01-15T21:00, 2026-01-16T02:00:00Z",
    "America/New_York, 2026-07-15T21:00, 2026-07-16T01:00:00Z",
    "Asia/Tokyo, 2026-01-15, 2026-01-14T15:00:00Z",
    "Asia/Tokyo, 2026-01-15 21:00, 2026-01-15T12:00:00Z",
    "Asia/Tokyo, 2026-01-15T21:00+02:00, 2026-01-15T19:00:00Z"
  })
  void t105_a_single_local_time_is_this_instant(String zone, String local, String instant) {
    assertThat(Timing.Once.of(local, ZoneId.of(zone)).at()).isEqualTo(Instant.parse(instant));
  }

  /** Seen to fail when the interval is counted from the instant that is given. */
  @Test
  void an_interval_stays_on_its_grid_however_many_times_were_missed() {
    Instant anchor = Instant.parse("2026-11-18T10:07:00Z");
    Timing every = new Timing.Every(Duration.ofMinutes(15), anchor);
    assertThat(ScheduleTimes.next(every, TimeZones.UTC, anchor.minusSeconds(9))).contains(anchor);
    assertThat(ScheduleTimes.next(every, TimeZones.UTC, Instant.parse("2026-11-18T12:40:13Z")))
        .contains(Instant.parse("2026-11-18T12:52:00Z"));
    assertThat(ScheduleTimes.next(every, TimeZones.UTC, Instant.parse("2026-11-18T12:52:00Z")))
        .contains(Instant.parse("2026-11-18T13:07:00Z"));
  }

  /** Seen to fail when a time in the gap is left out. */
  @Test
  void t104_no_day_is_skipped_or_doubled_at_any_change_of_clocks_in_any_zone() {
    List<ZoneId> zones = zones().stream().filter(zone -> !changes(zone).isEmpty()).toList();
    assertThat(zones).hasSizeGreaterThan(100);
    Seeded.trials(
        3,
        random -> {
          for (ZoneId zone : zones) {
            List<ZoneOffsetTransition> changes = changes(zone);
            ZoneOffsetTransition change = changes.get(random.nextInt(changes.size()));
            assertEveryDay(zone, change, timeNear(change, random));
          }
        });
  }

  private static List<ZoneOffsetTransition> changes(ZoneId zone) {
    List<ZoneOffsetTransition> changes = new ArrayList<>();
    ZoneOffsetTransition change = zone.getRules().nextTransition(FIRST);
    while (change != null && change.getInstant().isBefore(LAST)) {
      changes.add(change);
      change = zone.getRules().nextTransition(change.getInstant());
    }
    return changes;
  }

  /** Half of the times are in the gap or overlap. */
  private static LocalTime timeNear(ZoneOffsetTransition change, RandomGenerator random) {
    if (random.nextBoolean()) {
      return LocalTime.of(random.nextInt(24), random.nextInt(60));
    }
    LocalDateTime first = change.isGap() ? change.getDateTimeBefore() : change.getDateTimeAfter();
    long minutes = Math.abs(change.getDuration().toMinutes());
    return first.plusMinutes(random.nextLong(Math.max(1, minutes))).toLocalTime();
  }

  private static void assertEveryDay(ZoneId zone, ZoneOffsetTransition change, LocalTime time) {
    Timing daily = Timing.Cron.of(time.getMinute() + " " + time.getHour() + " * * *");
    LocalDate day = LocalDateTime.ofInstant(change.getInstant(), zone).toLocalDate().minusDays(3);
    Instant after = day.atTime(time).atZone(zone).withEarlierOffsetAtOverlap().toInstant();
    for (int i = 0; i < 7; i++) {
      Instant next = ScheduleTimes.next(daily, zone, after).orElseThrow();
      day = day.plusDays(1);
      assertThat(next).isAfter(after);
      // A gap at the end of a day leaves the midnight after it as the first valid instant.
      if (!next.equals(change.getInstant())) {
        assertThat(LocalDateTime.ofInstant(next, zone))
            .as("%s at %s in %s", daily.description(), day, zone)
            .isEqualTo(day.atTime(time));
      } else {
        assertThat(Duration.between(after, next))
            .isBetween(Duration.ofHours(22), Duration.ofHours(26));
      }
      after = next;
    }
  }

  /** Seen to fail when times of the day before the instant count. */
  @Test
  void t148_the_next_time_is_later_and_grows_with_the_instant() {
    List<ZoneId> zones = zones();
    Seeded.trials(
        2_000,
        random -> {
          ZoneId zone = zones.get(random.nextInt(zones.size()));
          Timing timing = anyTiming(random);
          Instant one = instantNear(zone, random);
          Instant two = one.plusSeconds(random.nextLong(7_200));
          Instant afterOne = ScheduleTimes.next(timing, zone, one).orElseThrow();
          Instant afterTwo = ScheduleTimes.next(timing, zone, two).orElseThrow();
          String which = timing.description() + " in " + zone + " after " + one + " and " + two;
          assertThat(afterOne).as(which).isAfter(one);
          assertThat(afterTwo).as(which).isAfter(two).isAfterOrEqualTo(afterOne);
          if (afterOne.isAfter(two)) {
            assertThat(afterTwo).as(which).isEqualTo(afterOne);
          }
        });
  }

  private static List<ZoneId> zones() {
    return ZoneId.getAvailableZoneIds().stream().sorted().map(ZoneId::of).toList();
  }

  private static Instant instantNear(ZoneId zone, RandomGenerator random) {
    List<ZoneOffsetTransition> changes = changes(zone);
    Instant base =
        changes.isEmpty() || random.nextInt(4) == 0
            ? FIRST.plusSeconds(random.nextLong(Duration.between(FIRST, LAST).toSeconds()))
            : changes.get(random.nextInt(changes.size())).getInstant().minusSeconds(7_200);
    return base.plusSeconds(random.nextLong(14_400)).plusNanos(random.nextLong(1_000_000_000));
  }

  private static Timing anyTiming(RandomGenerator random) {
    String minute =
        random.nextBoolean() ? "*/" + (1 + random.nextInt(30)) : random.nextInt(60) + "";
    String hour =
        switch (random.nextInt(4)) {
          case 0 -> "*";
          case 1 -> "*/" + (1 + random.nextInt(12));
          case 2 -> "0-" + random.nextInt(24);
          default -> random.nextInt(24) + "";
        };
    String day = random.nextInt(4) == 0 ? 1 + random.nextInt(28) + "" : "*";
    String weekday = random.nextInt(4) == 0 ? random.nextInt(8) + "" : "*";
    String seconds = random.nextInt(6) == 0 ? random.nextInt(60) + " " : "";
    return Timing.Cron.of(seconds + minute + " " + hour + " " + day + " * " + weekday);
  }
}
