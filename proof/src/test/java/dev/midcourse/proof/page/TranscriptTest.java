package dev.midcourse.proof.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static dev.midcourse.proof.page.PageFixture.button;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import dev.midcourse.core.run.RunSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Messages, logs and differences of a run, and the form for a new one. */
@Tag("browser")
class TranscriptTest {
  @RegisterExtension static final PageFixture fixture = new PageFixture();

  /** Seen to fail when a message was one clipped line with its Markdown signs. */
  @ParameterizedTest
  @CsvSource({"1360, 860", "1024, 768", "390, 844"})
  void a_message_is_rendered_in_its_lines_and_a_long_one_can_be_expanded(int width, int height) {
    if (fixture.hub().get("/runs/says").path("run_id").isMissingNode()) {
      fixture.hub().run("says", "$ sleep 600");
    }
    String lines = "- line of the list\\n".repeat(40);
    MadeUpEvents events =
        new MadeUpEvents(Instant.parse("2026-01-01T12:00:00Z"))
            .at(Duration.ZERO, "run_picked", "'host':'here'")
            .at(Duration.ofSeconds(1), "said", "'text':'I found **two** causes:\\n\\n- `a`\\n- b'")
            .at(Duration.ofSeconds(2), "said", "'text':'" + lines + "the end'")
            .at(Duration.ofSeconds(3), "said", "'text':'short'");
    Page page = fixture.browsing().page(width, height, ColorScheme.LIGHT);
    events.serve(page, "says");
    page.navigate(fixture.hub().link("/runs/says"));
    Locator rows = page.locator(".story-row.kind-said");
    assertThat(rows).hasCount(3);
    assertThat(rows.nth(0).locator("strong")).hasText("two");
    assertThat(rows.nth(0).locator("li")).hasText(new String[] {"a", "b"});
    assertThat(rows.nth(0)).not().containsText("**");
    Locator more = rows.nth(1).locator(".more");
    assertThat(more).hasText("Show more");
    assertThat(rows.nth(0).locator(".more")).isHidden();
    double before = rows.nth(1).boundingBox().height;
    more.click();
    assertThat(more).hasText("Show less");
    Assertions.assertThat(rows.nth(1).boundingBox().height).isGreaterThan(before * 3);
    assertThat(rows.nth(1)).containsText("the end");
    double end = rows.nth(1).boundingBox().y + rows.nth(1).boundingBox().height;
    Assertions.assertThat(rows.nth(2).boundingBox().y).as("rows do not overlap").isEqualTo(end);
    fixture.browsing().picture(page, "transcript-" + width);
  }

  /** Seen to fail when the log was shown from its beginning. */
  @Test
  void the_raw_log_opens_at_its_end() {
    fixture.hub().run("logs", "Go.\n! flood 400\n$ sleep 600");
    fixture.awaitTool("logs", "sleep 600");
    Page page = fixture.at("/runs/logs");
    page.locator("#tab-log").click();
    assertThat(page.locator("pre.log")).containsText("flood 400");
    Object below =
        page.locator(".panel")
            .evaluate("node => node.scrollHeight - node.clientHeight - node.scrollTop");
    Assertions.assertThat(((Number) below).doubleValue()).isLessThan(2);
  }

  /** Seen to fail when a run without a checkout caused a 404 in the console. */
  @Test
  void a_run_without_a_checkout_says_so_without_an_error_in_the_console() {
    fixture.hub().run("no-diff", "$ sleep 600");
    Page page = fixture.at("/runs/no-diff");
    List<String> errors = new ArrayList<>();
    page.onConsoleMessage(message -> {
      if (message.type().equals("error")) {
        errors.add(message.text());
      }
    });
    page.locator("#tab-changes").click();
    assertThat(page.locator(".panel .nothing")).containsText("No diff: the run has no checkout");
    Assertions.assertThat(errors).isEmpty();
  }

  /** Seen to fail when the form offered 3 attempts, and no directory of an earlier run. */
  @Test
  void the_form_of_a_new_run_shows_the_real_defaults_and_recent_directories() {
    String folder = fixture.folder().toString();
    fixture
        .hub()
        .post(
            "/runs",
            Map.of("run_id", "here", "agent", "rehearsal", "prompt", "$ true", "dir", folder));
    fixture.awaitState("here", "done");
    fixture.hub().run("elsewhere", "$ sleep 600");
    Page page = fixture.at("/");
    assertThat(page.locator("#runs a[data-run=here]")).isVisible();
    assertThat(page.locator("#runs a[data-run=elsewhere]")).isVisible();
    button(page, "New run n").click();
    assertThat(page.locator("dialog [name=attempts]"))
        .hasAttribute("placeholder", Integer.toString(RunSpec.DEFAULT_ATTEMPTS));
    assertThat(page.locator("#recent-directories option")).hasCount(1);
    assertThat(page.locator("#recent-directories option")).hasAttribute("value", folder);
    assertThat(page.locator("dialog"))
        .containsText("If empty, the hub makes a new empty directory for this run.");
  }
}
