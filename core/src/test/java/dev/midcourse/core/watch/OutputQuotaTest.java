package dev.midcourse.core.watch;

import static dev.midcourse.core.Samples.START;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class OutputQuotaTest {
  private final OutputQuota full = OutputQuota.full(START);

  @Test
  void it_covers_long_conversations_and_no_flood() {
    assertThat(timesCovered(full, 1_000)).isBetween(5_000, 10_000);
  }

  @Test
  void messages_without_words_take_room_too() {
    assertThat(timesCovered(full, 0)).isBetween(10_000, 100_000);
  }

  @Test
  void it_grows_back_in_minutes_and_never_beyond_what_it_was() {
    OutputQuota empty = new OutputQuota(0, START);
    assertThat(empty.covers(0)).isFalse();
    assertThat(timesCovered(empty.at(START.plusSeconds(5)), 1_000)).isBetween(50, 100);
    assertThat(empty.at(START.plus(Duration.ofDays(400))).left()).isEqualTo(full.left());
    assertThat(full.at(START.plusSeconds(60)).left()).isEqualTo(full.left());
  }

  @Test
  void it_grows_by_the_time_that_passed_however_often_it_is_asked() {
    OutputQuota often = new OutputQuota(0, START);
    Instant now = START;
    for (int i = 0; i < 1_000_000; i++) {
      now = now.plusNanos(10_000);
      often = often.at(now);
    }
    long atOnce = new OutputQuota(0, START).at(now).left();
    assertThat(often.left()).isBetween(atOnce / 2, atOnce);
  }

  @Test
  void a_clock_that_went_back_takes_nothing_away_and_stops_nothing() {
    OutputQuota some = new OutputQuota(500, START).at(START.minusSeconds(3_600));
    assertThat(some.left()).isEqualTo(500);
    assertThat(some.at(START.minusSeconds(3_599)).left()).isGreaterThan(500);
  }

  private static int timesCovered(OutputQuota quota, int characters) {
    int times = 0;
    for (OutputQuota left = quota; left.covers(characters); left = left.less(characters)) {
      times++;
    }
    return times;
  }
}
