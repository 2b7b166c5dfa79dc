package dev.midcourse.proof.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static dev.midcourse.proof.page.PageFixture.button;
import static dev.midcourse.proof.page.PageFixture.steer;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.LocatorAssertions;
import com.microsoft.playwright.options.ColorScheme;
import java.util.Map;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The view of a run at the sizes of a desk, a small laptop and a phone. */
@Tag("browser")
class RunLayoutTest {
  private static final String LONG = "Fix the flaky test.\n$ sleep 0.2\n$ sleep 600";

  @RegisterExtension static final PageFixture fixture = new PageFixture();

  private static Page at(String path, int width, int height) {
    Page page = fixture.browsing().page(width, height, ColorScheme.LIGHT);
    page.navigate(fixture.hub().link(path));
    assertThat(page.locator(".state")).isVisible();
    return page;
  }

  private static void start(String id, String prompt) {
    if (fixture.hub().get("/runs/" + id).path("run_id").isMissingNode()) {
      fixture.hub().run(id, prompt);
    }
    if (prompt.equals(LONG)) {
      fixture.awaitTool(id, "sleep 600");
    }
  }

  private static void assertInView(Locator node) {
    assertThat(node).isInViewport(new LocatorAssertions.IsInViewportOptions().setRatio(0.95));
  }

  private static double height(Page page, String selector) {
    return page.locator(selector).boundingBox().height;
  }

  /** The part of the transcript that is not behind the message box. */
  private static double visibleTranscript(Page page) {
    return (Double)
        page.evaluate(
            """
            () => {
              const story = document.querySelector(".story-scroll").getBoundingClientRect();
              const dock = document.querySelector(".dock").getBoundingClientRect();
              return Math.min(story.bottom, dock.top) - story.top + 0.001;
            }
            """);
  }

  /**
   * Seen to fail when the dock had a fixed height: Send ended at 912 of 860 pixels, and the options
   * did not exist on a phone; and when the transcript kept its height and ended behind the dock.
   */
  @ParameterizedTest
  @CsvSource({"1360, 860", "1024, 768", "390, 844"})
  void send_and_options_stay_in_view_beside_an_open_ask(int width, int height) {
    start("layout-ask", "Release.\n? push the tag v1.4.0 and publish the notes of the release");
    Page page = at("/runs/layout-ask", width, height);
    assertThat(page.locator(".banner.ask")).isVisible();
    assertInView(button(page, "Send"));
    page.locator(".steer-options summary").click();
    assertInView(button(page, "Send"));
    assertInView(page.getByLabel("Fail if this mode is unsupported"));
    assertInView(page.getByLabel("Only in the current turn"));
    assertInView(page.getByLabel("Expires if not delivered within"));
    assertInView(page.getByLabel("Message to the agent"));
    assertInView(button(page, "Allow"));
    assertThat(page.locator(".story-row").last()).containsText("push the tag v1.4.0");
    assertInView(page.locator(".story-row").last());
    Assertions.assertThat(visibleTranscript(page)).isGreaterThan(100);
    Object wide = page.evaluate("document.documentElement.scrollWidth");
    Assertions.assertThat(wide).as("nothing is wider than the screen").isEqualTo(width);
    fixture.browsing().picture(page, "layout-ask-" + width);
  }

  /** Seen to fail when the transcript had 154 of 860 pixels. */
  @ParameterizedTest
  @CsvSource({"1360, 860, 40", "1024, 768, 30", "390, 844, 40"})
  void the_transcript_has_room(int width, int height, int percent) {
    start("layout-room", LONG);
    fixture.hub().post("/runs/layout-room/steers", Map.of("text", "mind the gap"));
    Page page = at("/runs/layout-room", width, height);
    assertThat(page.locator(".receipt-text").first()).hasText("mind the gap");
    Assertions.assertThat(height(page, ".story-scroll"))
        .isGreaterThanOrEqualTo(height * percent / 100.0);
  }

  /** Seen to fail without the splitter and the toggle of the timeline. */
  @Test
  void the_timeline_is_resized_by_keyboard_and_hidden_and_stays_so_after_a_reload() {
    start("layout-room", LONG);
    Page page = at("/runs/layout-room", 1360, 860);
    assertThat(page.locator(".story-row.kind-tool").last()).containsText("sleep 600");
    assertThat(page.locator(".dock-receipts .nothing, .receipt-text").first()).isVisible();
    double before = height(page, ".story-scroll");
    Locator splitter = page.getByLabel("Height of the timeline");
    splitter.focus();
    splitter.press("Home");
    page.waitForCondition(() -> height(page, ".story-scroll") > before);
    double resized = height(page, ".story-scroll");
    Locator toggle = button(page, "Timeline");
    toggle.click();
    assertThat(toggle).hasAttribute("aria-expanded", "false");
    page.waitForCondition(() -> height(page, ".story-scroll") > resized);
    page.reload();
    assertThat(button(page, "Timeline")).hasAttribute("aria-expanded", "false");
    page.waitForCondition(() -> height(page, ".story-scroll") > resized);
  }

  /** Seen to fail when the mode belonged to the page: it stayed after sending and in other runs. */
  @ParameterizedTest
  @CsvSource({"1360, 860", "1024, 768", "390, 844"})
  void the_mode_belongs_to_one_message_of_one_run(int width, int height) {
    start("mode-a", LONG);
    start("mode-b", LONG);
    Page page = at("/runs/mode-a", width, height);
    page.getByLabel("Follow-up").check();
    page.locator(".steer-options summary").click();
    page.getByLabel("Fail if this mode is unsupported").check();
    steer(page, "one message");
    assertThat(page.getByLabel("Message to the agent")).hasValue("");
    assertThat(page.locator("[name=mode][value=steer]")).isChecked();
    assertThat(page.locator(".steer-options input").last()).not().isChecked();
    page.getByLabel("Interrupt").check();
    page.evaluate(
        "history.pushState({}, '', '/runs/mode-b'); dispatchEvent(new Event('popstate'))");
    assertThat(page.locator("#main h1")).hasText("mode-b");
    assertThat(page.locator("[name=mode][value=steer]")).isChecked();
    assertThat(page.locator("#mode-says")).hasText("Delivered after the current tool call.");
  }

  /** Seen to fail when drafts were kept in the memory of the page. */
  @Test
  void a_draft_survives_a_reload_and_is_gone_once_it_is_sent() {
    start("draft", LONG);
    start("mode-b", LONG);
    Page page = at("/runs/draft", 1360, 860);
    Locator box = page.getByLabel("Message to the agent");
    box.fill("not yet finished");
    page.reload();
    assertThat(page.locator("#main h1")).hasText("draft");
    assertThat(box).hasValue("not yet finished");
    page.locator("#runs a[data-run=mode-b]").click();
    assertThat(page.locator("#main h1")).hasText("mode-b");
    assertThat(box).hasValue("");
    page.locator("#runs a[data-run=draft]").click();
    assertThat(box).hasValue("not yet finished");
    box.press("Control+Enter");
    assertThat(box).hasValue("");
    page.reload();
    assertThat(page.locator(".receipt-text")).hasText("not yet finished");
    assertThat(box).hasValue("");
  }

  /** Seen to fail when only the page scrolled on a phone and the list of events did not. */
  @Test
  void the_transcript_of_a_phone_follows_the_end_and_receipts_have_a_tab() {
    fixture.hub().run("phone-end", "Go.\n! flood 60\n$ sleep 600");
    fixture.awaitTool("phone-end", "sleep 600");
    Page page = at("/runs/phone-end", 390, 844);
    assertInView(page.locator(".story-row").last());
    assertThat(page.locator(".story-row").last()).containsText("sleep 600");
    steer(page, "from the train");
    assertThat(page.locator(".story-row").last()).containsText("from the train");
    assertInView(page.locator(".story-row").last());
    page.locator("#tab-receipts").click();
    assertThat(page.locator(".receipt-text")).hasText("from the train");
    assertThat(page.locator(".receipt-text")).isVisible();
    fixture.browsing().picture(page, "layout-phone-receipts");
  }
}
