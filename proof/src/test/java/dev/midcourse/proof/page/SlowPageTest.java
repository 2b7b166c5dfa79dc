package dev.midcourse.proof.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static dev.midcourse.proof.page.PageFixture.assertClimbed;
import static dev.midcourse.proof.page.PageFixture.steer;

import com.microsoft.playwright.APIResponse;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The page on a slow machine: late frames, responses in another order, a busy tab. */
@Tag("browser")
class SlowPageTest {
  /** Delays every frame, so that a test acts between the first layout and the first frame. */
  private static final String LATE_FRAMES =
      """
      const frame = window.requestAnimationFrame;
      window.requestAnimationFrame = (work) => setTimeout(() => frame(work), 2_000);
      """;

  private static final String NEXT_FRAMES =
      "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))";

  private static final String BUSY =
      "() => { setTimeout(() => { const end = Date.now() + 3_000; while (Date.now() < end); }); }";

  @RegisterExtension static final PageFixture fixture = new PageFixture();

  /** Seen to fail when the message box was filled with the draft of the run in the next frame. */
  @Test
  void a_message_that_is_typed_before_the_first_frame_is_sent() {
    fixture.hub().run("typed", "Go.\n$ sleep 600");
    Page page = fixture.browsing().newPage();
    page.addInitScript(LATE_FRAMES);
    page.navigate(fixture.hub().link("/runs/typed"));
    page.getByLabel("Follow-up").check();
    steer(page, "at once");
    assertThat(page.locator(".receipt-text")).hasText("at once");
    assertThat(page.locator(".receipt-mode")).containsText("follow-up");
  }

  /** Seen to fail when the page kept the response that came last. */
  @Test
  void a_late_response_about_a_run_does_not_replace_a_newer_one() {
    fixture.hub().run("late", "Go.\n? may I");
    Page page = fixture.at("/runs/late");
    assertThat(page.locator(".banner.ask")).isVisible();
    assertThat(page.locator("#runs a[data-run=late] .doing")).hasText("may I");
    List<Runnable> held = new ArrayList<>();
    page.route(
        "**/api/v1/runs/late",
        route -> {
          APIResponse before = route.fetch();
          if (held.isEmpty()) {
            held.add(() -> route.fulfill(new Route.FulfillOptions().setResponse(before)));
          } else {
            route.fulfill(new Route.FulfillOptions().setResponse(before));
          }
        });
    fixture.hub().post("/runs/late/steers", Map.of("text", "an event", "mode", "follow_up"));
    page.waitForCondition(() -> !held.isEmpty());
    fixture.hub().post("/runs/late/asks/ask-1", Map.of("answer", "allow"));
    assertThat(page.locator(".state")).hasText("Done");
    page.waitForResponse("**/api/v1/runs/late", held.getFirst());
    page.evaluate(NEXT_FRAMES);
    assertThat(page.locator(".state")).hasText("Done");
  }

  /** Seen to fail when the other tab had a quarter of a second to say which session it uses. */
  @Test
  void a_second_tab_uses_the_session_of_a_tab_that_is_busy() {
    fixture.hub().run("shared", "Go.\n$ sleep 600");
    Page first = fixture.at("/runs/shared");
    assertThat(first.locator("#connection")).hasText("Connected");
    Page second = fixture.browsing().tab(first.context());
    first.evaluate(BUSY);
    second.navigate(fixture.hub().url("/runs/shared"));
    assertThat(second.locator("#main h1")).hasText("shared");
    steer(second, "from the second");
    assertClimbed(second, "accepted");
    assertThat(first.locator(".receipt-text")).hasText("from the second");
  }
}
