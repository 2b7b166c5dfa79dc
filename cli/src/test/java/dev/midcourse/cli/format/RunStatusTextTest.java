package dev.midcourse.cli.format;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.cli.client.RunInfo;
import dev.midcourse.core.json.JsonValue;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RunStatusTextTest {
  private static final Instant NOW = Instant.parse("2026-11-15T10:00:00Z");

  private static String doing(JsonValue.Obj run) {
    return RunStatusText.doing(new RunInfo(run.with("state", "queued").with("worker", "any")), NOW);
  }

  /** Seen to fail when the first line of the result is shown, whatever it is. */
  @Test
  void a_completion_is_never_shown_in_a_list() {
    assertThat(
            ended("done", "<completion>{\"run_id\": \"x\"}\n</completion>\n\nIt is fixed.\nMore."))
        .isEqualTo("It is fixed.");
    assertThat(ended("review_requested", "<completion>{}</completion>"))
        .isEqualTo("waiting for review");
    assertThat(ended("failed", "<completion>{ cut off")).isEmpty();
  }

  private static String ended(String state, String result) {
    JsonValue.Obj run = JsonValue.Obj.EMPTY.with("state", state).with("result", result);
    return RunStatusText.doing(new RunInfo(run), NOW);
  }

  @Test
  void a_run_between_two_attempts_says_when_it_is_retried() {
    JsonValue.Obj run = JsonValue.Obj.EMPTY.with("attempt", 1L);

    assertThat(doing(run.with("not_before", "2026-11-15T10:00:05Z")))
        .isEqualTo("retrying in 5 s (attempt 2)");
    assertThat(doing(run.with("not_before", "2026-11-15T09:59:59Z")))
        .isEqualTo("retrying (attempt 2)");
  }

  @Test
  void an_idle_run_says_until_when_it_waits_for_a_message() {
    LocalTime local =
        LocalTime.ofInstant(Instant.parse("2026-11-15T10:25:40Z"), ZoneId.systemDefault());
    JsonValue.Obj run =
        JsonValue.Obj.EMPTY
            .with("state", "running")
            .with("progress", JsonValue.Obj.EMPTY.with("summary", "thinking"))
            .with("idle_since", "2026-11-15T10:15:40Z")
            .with("idle_until", "2026-11-15T10:25:40Z");

    assertThat(RunStatusText.doing(new RunInfo(run), NOW))
        .isEqualTo(
            "idle, waiting for the next message until %02d:%02d"
                .formatted(local.getHour(), local.getMinute()));
    assertThat(RunStatusText.since(new RunInfo(run)))
        .contains(Instant.parse("2026-11-15T10:15:40Z"));
  }

  @Test
  void a_queued_run_says_its_worker_and_its_position() {
    assertThat(doing(JsonValue.Obj.EMPTY)).isEqualTo("waiting for worker any");
    assertThat(doing(JsonValue.Obj.EMPTY.with("place_in_queue", 3L)))
        .isEqualTo("waiting for worker any, position 3");
  }

  @ParameterizedTest
  @CsvSource({
    "asks permission, permission request",
    "asks question, question",
    "quiet, no activity",
    "failed contract, completion invalid",
    "failed, failed",
    "something new, something new"
  })
  void a_need_is_shown_in_words(String needs, String shown) {
    assertThat(NeedText.of(needs)).isEqualTo(shown);
  }
}
