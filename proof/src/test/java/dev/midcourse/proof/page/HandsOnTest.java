package dev.midcourse.proof.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static dev.midcourse.proof.page.PageFixture.assertClimbed;
import static dev.midcourse.proof.page.PageFixture.button;
import static dev.midcourse.proof.page.PageFixture.steer;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Actions of a user on a run, the text of the page before them, and actions that must happen once.
 */
@Tag("browser")
class HandsOnTest {
  @RegisterExtension static final PageFixture fixture = new PageFixture();

  @Test
  void before_it_stops_a_run_the_page_says_what_that_ends() {
    fixture.hub().run("to-stop", "Go.\n$ sleep 601");
    fixture.awaitTool("to-stop", "sleep 601");
    Page page = fixture.at("/runs/to-stop");
    assertThat(page.locator(".story-row").last()).containsText("sleep 601");
    page.getByLabel("Follow-up").check();
    steer(page, "later");
    assertThat(page.locator(".receipt")).hasCount(1);
    button(page, "Stop").click();
    assertThat(page.getByRole(AriaRole.DIALOG).locator("li"))
        .hasText(
            new String[] {
              "The agent and all processes it started.",
              "Running tool: shell sleep 601",
              "1 open steer. Each receipt shows how the steer ended.",
            });
    button(page, "Cancel").click();
    assertThat(page.locator(".state")).hasText("Running");
    Assertions.assertThat(fixture.hub().state("to-stop")).isEqualTo("running");
  }

  @Test
  void an_unsupported_mode_is_named_before_the_steer_is_sent() {
    Map<String, String> plain = Map.of("run_id", "cannot", "agent", "plain", "prompt", "Go.");
    fixture.hub().post("/runs", plain);
    fixture.awaitSaid("cannot", "plain words");
    Page page = fixture.at("/runs/cannot");
    Locator says = page.locator("#agent-says");
    assertThat(says)
        .containsText(
            "plain cannot receive messages during a turn."
                + " The message will be delivered after the current turn.");
    page.getByLabel("Interrupt").check();
    assertThat(says)
        .containsText(
            "plain does not support interrupts."
                + " The message will be delivered after the current turn.");
    page.getByLabel("Follow-up").check();
    assertThat(says).isHidden();
    page.getByLabel("Interrupt").check();
    page.locator(".steer-options summary").click();
    page.getByLabel("Fail if this mode is unsupported").check();
    steer(page, "now");
    assertThat(page.locator(".composer .wrong")).containsText("interrupt");
    assertThat(page.locator(".receipt")).hasCount(0);
    assertThat(page.getByLabel("Message to the agent")).hasValue("now");
    fixture.hub().run("can", "Go.\n$ sleep 600");
    page.locator("#runs a[data-run=can]").click();
    assertThat(page.locator("#main h1")).hasText("can");
    assertThat(says).isHidden();
  }

  @Test
  void a_question_of_the_agent_is_denied_with_a_reason() {
    fixture.hub().run("denied", "Release.\n? push the tag\n$ echo pushed\n$ sleep 0.1");
    Page page = fixture.at("/runs/denied");
    page.getByLabel("Reason").fill("not on a Friday");
    button(page, "Deny").click();
    assertThat(page.locator(".banner.ask")).hasCount(0);
    assertThat(page.locator(".state")).hasText("Done");
    page.keyboard().press("1");
    Locator asked =
        page.locator(
            ".story-row", new Page.LocatorOptions().setHasText("Permission request: push the tag"));
    assertThat(asked).containsText("deny");
    String events = fixture.hub().get("/runs/denied/events?limit=1000").toString();
    Assertions.assertThat(events)
        .contains("not on a Friday")
        .contains("Skipped (permission denied): echo pushed");
  }

  @Test
  void light_and_dark_are_changed_by_hand_and_stay_so() {
    Page page = fixture.browsing().page(1360, 860, ColorScheme.DARK);
    page.navigate(fixture.hub().link("/"));
    String colour = "getComputedStyle(document.body).backgroundColor";
    Object dark = page.evaluate(colour);
    page.getByLabel("Toggle theme").click();
    Object light = page.evaluate(colour);
    Assertions.assertThat(light).isNotEqualTo(dark);
    page.reload();
    assertThat(page.locator("#app")).isVisible();
    Assertions.assertThat(page.evaluate(colour)).isEqualTo(light);
    page.getByLabel("Toggle theme").click();
    Assertions.assertThat(page.evaluate(colour)).isEqualTo(dark);
  }

  /**
   * The hub stores the steer and its response is lost, again and again, until the page gives up.
   * Seen to fail when every press had its own key.
   */
  @Test
  void a_steer_that_is_sent_again_without_an_answer_is_one_steer() {
    fixture.hub().run("once", "Go.\n$ sleep 600");
    Page page = fixture.at("/runs/once");
    assertThat(page.locator(".state")).hasText("Running");
    page.route(
        "**/api/v1/runs/once/steers",
        route -> {
          if (route.request().method().equals("POST")) {
            route.fetch();
            route.abort();
          } else {
            route.resume();
          }
        });
    steer(page, "one and the same");
    assertThat(page.locator(".composer .wrong"))
        .containsText("will be sent once when the hub answers again");
    page.getByLabel("Message to the agent").press("Control+Enter");
    page.evaluate(
        "() => { const now = performance.now.bind(performance);"
            + " performance.now = () => now() + 100_000; }");
    assertThat(page.locator(".composer .wrong")).hasText("The hub does not answer.");
    assertThat(button(page, "Send")).isEnabled();
    page.unroute("**/api/v1/runs/once/steers");
    button(page, "Send").click();
    assertThat(page.getByLabel("Message to the agent")).hasValue("");
    Assertions.assertThat(fixture.hub().get("/runs/once/steers").path("steers").size())
        .isEqualTo(1);
    steer(page, "one and the same");
    assertThat(page.locator(".receipt")).hasCount(2);
    assertClimbed(page, "accepted");
  }

  /** Seen to fail when the keyboard could send a text that was being sent. */
  @Test
  void a_second_press_sends_nothing() {
    fixture.hub().run("twice", "Go.\n$ sleep 600");
    Page page = fixture.at("/runs/twice");
    assertThat(page.locator(".state")).hasText("Running");
    List<Route> held = new ArrayList<>();
    page.route(
        "**/api/v1/runs/twice/steers",
        route -> {
          if (route.request().method().equals("POST")) {
            held.add(route);
          } else {
            route.resume();
          }
        });
    page.getByLabel("Message to the agent").fill("go on");
    page.getByLabel("Message to the agent").press("Control+Enter");
    page.getByLabel("Message to the agent").press("Control+Enter");
    page.waitForCondition(() -> !held.isEmpty());
    page.evaluate("() => fetch('/api/v1/health')"); // behind what was asked for before
    Assertions.assertThat(held).hasSize(1);
    held.forEach(Route::resume);
    assertThat(page.getByLabel("Message to the agent")).hasValue("");
    assertThat(page.locator(".receipt")).hasCount(1);
  }
}
