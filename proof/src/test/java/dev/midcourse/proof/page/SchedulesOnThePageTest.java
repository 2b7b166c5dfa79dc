package dev.midcourse.proof.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static dev.midcourse.proof.page.PageFixture.button;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import java.util.Map;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Schedules in the browser: their next times, and the buttons of each. */
@Tag("browser")
class SchedulesOnThePageTest {
  @RegisterExtension static final PageFixture fixture = new PageFixture(_ -> {});

  @Test
  void the_page_lists_schedules_and_pauses_resumes_runs_and_cancels_one() {
    String id =
        fixture
            .hub()
            .post(
                "/schedules",
                Map.of(
                    "prompt",
                    "say <b>hello</b>",
                    "cron",
                    "0 9 * * 1-5",
                    "zone",
                    "Asia/Tokyo",
                    "agent",
                    "rehearsal"))
            .path("schedule_id")
            .asString();
    Page page = fixture.at("/");
    button(page, "Schedules").click();
    Locator row = page.locator(".schedule");
    assertThat(row).hasCount(1);
    assertThat(row).containsText("say <b>hello</b>");
    assertThat(row).containsText("09:00, Asia/Tokyo");
    assertThat(row).containsText("not due yet");
    row.getByText("Pause").click();
    assertThat(row).containsText("paused");
    row.getByText("Resume").click();
    assertThat(row).containsText("next: ");
    row.getByText("Run now").click();
    assertThat(row).containsText("by hand");
    fixture.browsing().picture(page, "schedules");
    row.getByText("Cancel").click();
    assertThat(row).hasCount(0);
    assertThat(page.locator(".schedules")).containsText("No schedules");
    Assertions.assertThat(
            fixture.hub().get("/schedules/" + id).path("schedule").path("state").asString())
        .isEqualTo("ended");
    button(page, "Close").click();
    assertThat(page.locator("dialog")).hasCount(0);
  }
}
