package dev.midcourse.core.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.core.id.GroupName;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.WorkerName;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class NoticeTest {
  private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

  @Test
  void a_notice_has_the_form_that_leads_know() {
    Notice notice =
        new Notice(
            GroupName.of("andy-developer"),
            RunId.of("run-20260301-042"),
            WorkerName.of("jarvis-worker-1"),
            Notice.Sign.PROGRESS,
            "Tool: bash",
            NOON);
    assertThat(notice.line()).isEqualTo("[01-042] ↻ Tool: bash");
  }

  @Test
  void an_unchanged_summary_is_not_told_again() {
    NoticePolicy gate = NoticePolicy.usual().with("reading");
    assertThat(gate.due(NOON)).contains("reading");
    NoticePolicy told = gate.after("reading", NOON);
    assertThat(told.with("reading").due(NOON.plusSeconds(60))).isEmpty();
  }

  @Test
  void of_a_burst_the_first_is_told_at_once_and_the_last_after_five_seconds() {
    NoticePolicy gate = NoticePolicy.usual().with("one").after("one", NOON);
    NoticePolicy burst = gate.with("two").with("three");
    assertThat(burst.due(NOON.plusMillis(4_999))).isEmpty();
    assertThat(burst.lookAgainAt()).contains(NOON.plusSeconds(5));
    assertThat(burst.due(NOON.plusSeconds(5))).contains("three");
  }
}
