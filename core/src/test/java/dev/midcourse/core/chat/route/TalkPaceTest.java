package dev.midcourse.core.chat.route;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.core.chat.route.TalkPace.Limits;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TalkPaceTest {
  private static final Instant START = Instant.parse("2026-03-02T10:00:00Z");
  private static final Limits LIMITS = new Limits(100, 5);

  private Instant now = START;
  private TalkPace pace = TalkPace.first(START);

  private SenderPace says(Duration after, Optional<Duration> answeredBefore) {
    now = now.plus(after);
    pace = pace.next(now, answeredBefore.map(now::minus), LIMITS);
    return pace.pace();
  }

  private static Optional<Duration> answered(int seconds) {
    return Optional.of(Duration.ofSeconds(seconds));
  }

  @Test
  void two_programs_that_answer_each_other_at_once_are_stopped_and_may_go_on_later() {
    for (int round = 0; round < 5; round++) {
      assertThat(says(Duration.ofSeconds(8), answered(2))).isEqualTo(SenderPace.NORMAL);
    }
    assertThat(says(Duration.ofSeconds(8), answered(2))).isEqualTo(SenderPace.LIMIT_REACHED);
    assertThat(says(Duration.ofSeconds(8), answered(2))).isEqualTo(SenderPace.PAUSED);
    assertThat(says(TalkPace.PAUSE, answered(2))).isEqualTo(SenderPace.NORMAL);
  }

  @Test
  void a_flood_of_one_sender_is_stopped() {
    for (int message = 0; message < 100; message++) {
      assertThat(says(Duration.ofMillis(10), Optional.empty())).isEqualTo(SenderPace.NORMAL);
    }
    assertThat(says(Duration.ofMillis(10), Optional.empty())).isEqualTo(SenderPace.LIMIT_REACHED);
    assertThat(says(Duration.ofMillis(10), Optional.empty())).isEqualTo(SenderPace.PAUSED);
  }

  @Test
  void a_person_who_reads_the_answers_is_never_stopped() {
    for (int round = 0; round < 200; round++) {
      assertThat(says(Duration.ofSeconds(40), answered(15))).isEqualTo(SenderPace.NORMAL);
    }
  }

  @Test
  void a_person_who_writes_several_messages_in_a_row_is_not_stopped() {
    for (int message = 0; message < 90; message++) {
      assertThat(says(Duration.ofMillis(200), Optional.empty())).isEqualTo(SenderPace.NORMAL);
    }
  }
}
