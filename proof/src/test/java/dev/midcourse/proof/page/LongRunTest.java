package dev.midcourse.proof.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static dev.midcourse.proof.page.PageFixture.button;

import com.microsoft.playwright.Download;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.BoundingBox;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A run with much data: its timeline, its events, its log and its cost. */
@Tag("browser")
class LongRunTest {
  @RegisterExtension static final PageFixture fixture = new PageFixture();

  private static Page ended(String id, String prompt) {
    fixture.hub().run(id, prompt);
    fixture.awaitState(id, "done");
    Page page = fixture.at("/runs/" + id);
    page.locator("#tab-story").click();
    return page;
  }

  /** Returns the visible range of the timeline in tenths of a second. */
  private static double[] view(Page page) {
    String[] ends = page.locator(".timeline-place").textContent().split(" – ", -1);
    return new double[] {seconds(ends[0]), seconds(ends[1])};
  }

  private static double seconds(String offset) {
    String[] parts = offset.split(":", -1);
    return 60 * Double.parseDouble(parts[0]) + Double.parseDouble(parts[1]);
  }

  private static double span(Page page) {
    double[] view = view(page);
    return view[1] - view[0];
  }

  @Test
  void the_timeline_is_zoomed_dragged_scrubbed_and_made_whole_again() {
    Page page = ended("drawn", "Go.\n$ sleep 1.2\n$ sleep 1.2\n$ sleep 1.2");
    assertThat(page.locator(".story-row").last()).containsText("Done");
    assertThat(page.locator("#connection")).hasText("Connected");
    assertThat(page.locator(".timeline-place")).not().hasText("");
    double whole = span(page);
    moveToMiddle(page, 0);
    page.mouse().wheel(0, -500);
    page.waitForCondition(() -> span(page) < whole / 2);
    assertThat(button(page, "Whole run")).hasAttribute("aria-pressed", "false");
    double before = view(page)[0];
    page.mouse().down();
    moveToMiddle(page, 200);
    page.mouse().up();
    page.waitForCondition(() -> view(page)[0] < before);
    assertThat(page.locator(".detail")).isHidden();
    Locator overview = page.locator(".timeline-overview");
    BoundingBox small = overview.boundingBox();
    page.mouse().move(small.x + 5, small.y + 8);
    page.mouse().down();
    page.waitForCondition(() -> view(page)[0] == 0);
    page.mouse().move(small.x + small.width * 0.8, small.y + 8);
    page.waitForCondition(() -> view(page)[0] > 1);
    page.mouse().up();
    double near = span(page);
    button(page, "Zoom out").click();
    page.waitForCondition(() -> span(page) > near);
    button(page, "Whole run").click();
    page.waitForCondition(() -> Math.abs(span(page) - whole) < 0.05);
    moveToMiddle(page, 0);
    page.mouse().down();
    page.mouse().up();
    assertThat(page.locator(".detail")).isVisible();
  }

  /** Moves the mouse to the middle of the timeline, or this number of pixels to the right of it. */
  private static void moveToMiddle(Page page, double right) {
    BoundingBox box = page.locator(".timeline-canvas").boundingBox();
    page.mouse().move(box.x + box.width / 2 + right, box.y + box.height - 6);
  }

  /** Five thousand messages with a steer among them; only the visible rows are drawn. */
  @Test
  void thousands_of_events_are_read_filtered_searched_and_walked_through() {
    Page page = ended("thousands", "Go.\n! flood 5000\n$ echo after");
    assertThat(page.locator(".story-row").last()).containsText("Done");
    for (String kind : new String[] {"Messages", "Tools", "Steers", "All events"}) {
      Locator chip = button(page, kind);
      chip.click();
      assertThat(chip).hasAttribute("aria-pressed", "true");
      if (kind.equals("Messages")) {
        assertThat(page.locator(".story-row").last()).containsText("flood 5000");
        Object height = page.locator(".story-space").evaluate("node => node.offsetHeight");
        Assertions.assertThat(height).isEqualTo(5_000 * 30);
      } else if (kind.equals("Tools")) {
        assertThat(page.locator(".story-row"))
            .hasText(new Pattern[] {Pattern.compile("echo after")});
      } else if (kind.equals("Steers")) {
        assertThat(page.locator(".story-row")).hasCount(0);
      }
    }
    page.locator(".story-scroll").evaluate("node => node.scrollTop = node.scrollHeight / 2");
    Locator row = page.locator(".story-row", new Page.LocatorOptions().setHasText("flood 2500"));
    row.first().click();
    assertThat(page.locator(".detail .prose")).hasText("flood 2500");
    page.keyboard().press("t");
    page.keyboard().press("ArrowRight");
    assertThat(page.locator(".detail .prose")).hasText("flood 2501");
    Assertions.assertThat(page.locator(".story-row").count()).isBetween(5, 100);
    button(page, "Jump to latest").click();
    assertThat(page.locator(".story-row").last()).containsText("Done");
    fixture.browsing().picture(page, "thousands");
  }

  @Test
  void the_cost_of_the_run_is_shown() {
    Page page = ended("costs", "Go.\n! flood 3000\n$ true");
    assertThat(page.locator(".run-facts"))
        .containsText(Pattern.compile("\\d+ tokens in, [\\d.]+ ?k? out"));
    assertThat(page.locator(".run-facts")).containsText(Pattern.compile("\\$0\\.\\d\\d"));
    page.keyboard().press("5");
    assertThat(page.locator(".details-tab"))
        .containsText(Pattern.compile("Output tokens\\s*\\d{4,}"));
    assertThat(page.locator(".details-tab")).containsText("Cost$0.");
  }

  /** Seen to fail when the page requested the complete log. */
  @Test
  void of_a_long_log_only_the_end_is_read_and_the_whole_can_be_had() throws IOException {
    Page page = ended("logged", "Go.\n$ echo from-the-tool\n! flood 13000\n$ true");
    Path out = fixture.data().resolve("runs/logged/attempt-1/out");
    long size = Files.size(out);
    Assertions.assertThat(size).isGreaterThan(410_000);
    page.waitForResponse(
        answer -> {
          boolean log = answer.url().contains("/log?stream=out");
          return log && Integer.parseInt(answer.headers().get("content-length")) <= 400_000;
        },
        () -> page.keyboard().press("4"));
    Locator log = page.locator("pre.log");
    assertThat(log).containsText("flood 13000");
    assertThat(log).containsText(Pattern.compile("^\\{.*\\}\\s*$", Pattern.DOTALL));
    assertThat(log).not().containsText("from-the-tool");
    assertThat(page.locator(".left-out"))
        .containsText(Pattern.compile("Showing the end; the first .* are omitted"));
    fixture.browsing().picture(page, "raw-log");
    Download download =
        page.waitForDownload(
            () -> page.getByText(Pattern.compile("^Download all \\(.* kB\\)$")).click());
    Assertions.assertThat(download.suggestedFilename()).isEqualTo("logged.out.log");
    Assertions.assertThat(Files.size(download.path())).isEqualTo(size);
    button(page, "stderr").click();
    assertThat(log).hasText("No output.");
  }
}
