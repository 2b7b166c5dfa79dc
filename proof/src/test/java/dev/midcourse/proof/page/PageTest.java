package dev.midcourse.proof.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static dev.midcourse.proof.page.PageFixture.assertClimbed;
import static dev.midcourse.proof.page.PageFixture.button;
import static dev.midcourse.proof.page.PageFixture.rung;
import static dev.midcourse.proof.page.PageFixture.steer;

import com.microsoft.playwright.APIResponse;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Request;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.assertions.LocatorAssertions;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import dev.midcourse.cli.screen.DurationText;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;

/** Actions of a user on the page. Screenshots of its states are in target/pictures. */
@Tag("browser")
class PageTest {
  private static final String LONG = "Fix the flaky test.\n$ sleep 0.4\n$ sleep 600";

  @RegisterExtension static final PageFixture fixture = new PageFixture();

  @Test
  void a_person_starts_a_run_steers_it_sees_the_receipt_climb_and_stops_it() {
    Page page = fixture.at("/");
    button(page, "New run n").click();
    page.locator("dialog textarea").fill("Tidy up.\n" + "$ sleep 1.5\n".repeat(400));
    page.locator("dialog select[name=agent]").selectOption("rehearsal");
    page.locator("dialog summary").click();
    page.locator("dialog input[name=run_id]").fill("tidy-up");
    fixture.browsing().picture(page, "new-run");
    page.locator("dialog").getByText("Start run").click();
    assertThat(page.locator("#main h1")).hasText("tidy-up");
    assertThat(page.locator(".state")).hasText("Running");
    steer(page, "use tabs, not spaces");
    assertThat(page.locator(".receipt-text")).hasText("use tabs, not spaces");
    assertClimbed(page, "stored");
    assertClimbed(page, "accepted");
    assertClimbed(page, "injected");
    assertThat(rung(page, "injected").locator(".rung-time")).containsText(Pattern.compile("m?s$"));
    page.locator(".evidence summary").first().click();
    assertThat(page.locator(".evidence").first()).containsText("committed to the ledger");
    assertThat(page.locator("#pace summary")).containsText("Latency (p50): stored ");
    page.locator("#pace summary").click();
    assertThat(page.locator("#pace tbody th"))
        .containsText(new String[] {"stored", "written", "accepted", "injected"});
    fixture.browsing().picture(page, "steered");
    button(page, "Stop").click();
    assertThat(page.getByRole(AriaRole.DIALOG)).containsText("Stop tidy-up?");
    fixture.browsing().picture(page, "stop");
    button(page, "Stop run").click();
    assertThat(page.locator(".state")).hasText("Stopped");
    assertThat(page.locator(".composer-ended")).containsText("Restart the run");
    Assertions.assertThat(fixture.hub().state("tidy-up")).isEqualTo("stopped");
  }

  /** Seen to fail when the form was filled only with the agents that had come before it opened. */
  @Test
  void a_form_that_opens_before_the_agents_are_loaded_gets_them_later() {
    Page page = fixture.browsing().newPage();
    List<Route> held = new ArrayList<>();
    page.route("**/api/v1/agents", held::add);
    page.navigate(fixture.hub().link("/"));
    button(page, "New run n").click();
    Locator agent = page.locator("dialog select[name=agent]");
    assertThat(agent.locator("option")).hasText("Loading agents");
    page.waitForCondition(() -> !held.isEmpty());
    held.forEach(Route::resume);
    agent.selectOption("rehearsal");
    assertThat(agent).hasValue("rehearsal");
  }

  /** Seen to fail when the page showed steps between the times of events. */
  @Test
  void a_receipt_has_the_numbers_of_the_hub() {
    fixture.hub().run("numbers", LONG);
    Page page = fixture.at("/runs/numbers");
    steer(page, "count with me");
    assertClimbed(page, "accepted");
    JsonNode rungs = fixture.hub().get("/runs/numbers/steers").path("steers").path(0).path("rungs");
    Instant stored = Instant.parse(rungs.path(0).path("at").asString());
    Assertions.assertThat(rungs.size()).isGreaterThan(2);
    for (JsonNode claim : rungs) {
      Duration after = Duration.between(stored, Instant.parse(claim.path("at").asString()));
      assertThat(rung(page, claim.path("rung").asString()).locator(".rung-time"))
          .hasText(DurationText.fine(after));
    }
  }

  @Test
  void a_steer_that_waits_is_edited_promoted_or_withdrawn() {
    fixture.hub().run("waits", LONG);
    fixture.awaitTool("waits", "sleep 600"); // else it is in the session before it is withdrawn
    Page page = fixture.at("/runs/waits");
    page.getByLabel("Follow-up").check();
    steer(page, "then the changelog");
    button(page, "Edit").click();
    page.locator("dialog").getByLabel("Message").fill("then the release notes");
    button(page, "Save").click();
    assertThat(page.locator(".receipt-text")).hasText("then the release notes");
    assertThat(page.locator(".receipt-mode")).containsText("edited");
    button(page, "Deliver now").click();
    assertClimbed(page, "accepted");
    button(page, "Withdraw").click();
    assertThat(page.locator(".receipt-state")).hasText("withdrawn");
  }

  @Test
  void a_question_of_an_agent_is_shown_first_and_answered_here() {
    fixture.hub().run("asks", "Release.\n? push the tag v1.4.0\n$ echo pushed");
    Page page = fixture.at("/");
    Locator first = page.locator("#runs a").first();
    assertThat(first).containsText("push the tag v1.4.0");
    assertThat(first).containsText("Waiting for approval");
    first.click();
    assertThat(page.locator(".banner.ask")).containsText("push the tag v1.4.0");
    fixture.browsing().picture(page, "ask");
    button(page, "Allow").click();
    assertThat(page.locator(".state")).hasText("Done");
    assertThat(page.locator(".banner.ask")).hasCount(0);
    page.keyboard().press("2");
    assertThat(page.locator(".answer")).containsText("done");
  }

  /** Seen to fail when the page said only that it comes back, however long the hub was away. */
  @Test
  void the_page_comes_back_by_itself_after_the_hub_was_killed_and_misses_nothing()
      throws Exception {
    fixture.hub().run("survivor", "Go on.\n! flood 300\n$ sleep 1\n! flood 300\n$ sleep 600");
    Page page = fixture.at("/runs/survivor");
    steer(page, "before");
    assertClimbed(page, "accepted");
    fixture.hub().kill();
    assertThat(page.locator("#offline")).isVisible();
    assertThat(page.locator("#offline")).containsText("This page reconnects");
    page.evaluate("() => { const now = Date.now; Date.now = () => now() + 60_000; }");
    assertThat(page.locator("#offline")).containsText("Run midcourse status");
    fixture.browsing().picture(page, "hub-away");
    page.route("**/api/v1/**", Route::abort);
    fixture.hub().startAgain();
    fixture
        .hub()
        .post("/runs/survivor/steers?wait=accepted&timeout=60s", Map.of("text", "meanwhile"));
    fixture.awaitTool("survivor", "sleep 600");
    page.unrouteAll();
    assertThat(page.locator("#offline")).isHidden();
    assertThat(page.locator("#connection")).hasText("Connected");
    assertThat(page.locator(".receipt-text").first()).hasText("meanwhile");
    assertClimbed(page, "accepted");
    assertThat(page.locator(".story-row.kind-tool").last()).containsText("sleep 600");
    page.getByText("Messages", new Page.GetByTextOptions().setExact(true)).click();
    assertThat(page.locator(".story-row").last()).containsText("flood 300");
    int rows = page.locator(".story-row").count();
    Assertions.assertThat(rows).as("only what is in view exists").isBetween(5, 100);
    Object height = page.locator(".story-space").evaluate("node => node.offsetHeight");
    Assertions.assertThat(height).as("each of 600 lines once").isEqualTo(600 * 30);
  }

  @Test
  void everything_can_be_done_with_the_keyboard() {
    fixture.hub().run("keys-one", LONG);
    fixture.hub().run("keys-two", LONG);
    Page page = fixture.at("/");
    assertThat(page.locator("#runs a[data-run=keys-two]")).isVisible();
    page.keyboard().press("/");
    page.keyboard().type("keys-");
    assertThat(page.locator("#runs a")).hasCount(2);
    page.keyboard().press("Escape");
    page.keyboard().press("j");
    assertThat(page.locator("#main h1")).hasText("keys-two");
    page.keyboard().press("j");
    assertThat(page.locator("#main h1")).hasText("keys-one");
    assertThat(page.locator(".state")).hasText("Running");
    page.keyboard().press("s");
    page.keyboard().type("by hand");
    page.keyboard().press("Control+Enter");
    assertClimbed(page, "accepted");
    page.keyboard().press("Escape");
    page.keyboard().press("t");
    page.keyboard().press("ArrowRight");
    assertThat(page.locator(".detail")).containsText("Created by");
    page.keyboard().press("Escape");
    page.keyboard().press("?");
    assertThat(page.getByRole(AriaRole.DIALOG)).containsText("Next and previous run or loop");
    page.keyboard().press("Escape");
    page.keyboard().press("5");
    assertThat(page.locator(".panel")).containsText("mid turn steer");
    page.keyboard().press("x");
    page.keyboard().press("Tab");
    page.keyboard().press("Enter");
    assertThat(page.locator(".state")).hasText("Stopped");
  }

  /**
   * The responses about two runs are delayed, so that the response about the run that was left
   * arrives last.
   */
  @Test
  void a_receipt_is_not_taken_by_the_run_that_was_looked_at_before() {
    fixture.hub().run("left", LONG);
    fixture.hub().run("stayed", LONG);
    fixture.awaitTool("stayed", "sleep 600");
    Page page = fixture.at("/");
    List<Runnable> ofLeft = new ArrayList<>();
    List<Runnable> ofStayed = new ArrayList<>();
    page.route("**/api/v1/runs/left", route -> ofLeft.add(route::resume));
    page.route("**/api/v1/runs/stayed/events?*&after=0", Route::resume);
    page.route(
        Pattern.compile("/runs/stayed/events\\?.*&after=[1-9]"),
        route -> {
          APIResponse nothingMore = route.fetch();
          ofStayed.add(() -> route.fulfill(new Route.FulfillOptions().setResponse(nothingMore)));
        });
    AtomicInteger readOfLeft = new AtomicInteger();
    page.onRequestFailed(request -> countLeft(request, "/runs/left", 2, readOfLeft));
    page.onRequestFinished(request -> countLeft(request, "/runs/left/events", 1, readOfLeft));
    page.locator("#runs a[data-run=left]").click();
    page.waitForCondition(() -> !ofLeft.isEmpty());
    page.locator("#runs a[data-run=stayed]").click();
    page.waitForCondition(() -> !ofStayed.isEmpty());
    fixture
        .hub()
        .post("/runs/stayed/steers?wait=accepted&timeout=60s", Map.of("text", "mind the gap"));
    assertThat(page.locator("#runs a[data-run=stayed]")).containsText("1 steer");
    ofLeft.forEach(Runnable::run);
    page.waitForCondition(() -> readOfLeft.get() >= 2);
    ofStayed.forEach(Runnable::run);
    assertThat(page.locator(".receipt-text")).hasText("mind the gap");
    assertClimbed(page, "accepted");
  }

  private static void countLeft(Request request, String path, int worth, AtomicInteger count) {
    if (request.url().contains(path)) {
      count.addAndGet(worth);
    }
  }

  @Test
  void a_phone_shows_all_of_it_with_the_box_in_reach() {
    fixture.hub().run("pocket", LONG);
    Page page = fixture.browsing().page(375, 740, ColorScheme.DARK);
    page.navigate(fixture.hub().link("/"));
    assertThat(page.locator("#runs a[data-run=pocket]")).isVisible();
    fixture.browsing().picture(page, "phone-list");
    page.locator("#runs a[data-run=pocket]").click();
    assertThat(page.locator("#runs")).isHidden();
    assertThat(page.getByLabel("Message to the agent"))
        .isInViewport(new LocatorAssertions.IsInViewportOptions().setRatio(1));
    steer(page, "from the train");
    assertClimbed(page, "accepted");
    Object width = page.evaluate("document.documentElement.scrollWidth");
    Assertions.assertThat(width).as("nothing is wider than the phone").isEqualTo(375);
    fixture.browsing().picture(page, "phone-run");
    button(page, "All runs").click();
    assertThat(page.locator("#runs")).isVisible();
  }

  @Test
  void a_second_tab_gets_in_without_a_code_and_sees_the_same() {
    fixture.hub().run("shared", LONG);
    Page first = fixture.at("/runs/shared");
    assertThat(first.locator(".state")).hasText("Running");
    Page second = fixture.browsing().tab(first.context());
    second.navigate(fixture.hub().url("/runs/shared"));
    assertThat(second.locator("#main h1")).hasText("shared");
    steer(first, "seen by both");
    assertThat(second.locator(".receipt-text")).hasText("seen by both");
    assertClimbed(second, "accepted");
  }

  @Test
  void a_link_to_an_event_opens_it_and_a_failure_says_what_to_do() {
    fixture
        .hub()
        .post(
            "/runs",
            Map.of(
                "run_id",
                "broken",
                "agent",
                "rehearsal",
                "attempts",
                1,
                "prompt",
                "Migrate.\n$ sleep 0.2\n! exit-without-answer"));
    Page page = fixture.at("/runs/broken");
    assertThat(page.locator(".state")).hasText("Failed");
    assertThat(page.locator(".banner")).containsText("the agent ended");
    page.locator(".story-row", new Page.LocatorOptions().setHasText("sleep 0.2")).click();
    assertThat(page.locator(".detail")).containsText("shell");
    fixture.browsing().picture(page, "failed");
    Page again = fixture.browsing().page(1360, 860, ColorScheme.DARK);
    again.navigate(fixture.hub().link(URI.create(page.url()).getPath()));
    assertThat(again.locator(".detail")).containsText("sleep 0.2");
    fixture.browsing().picture(again, "event-dark");
    page.locator(".banner").getByText("Restart").click();
    page.getByLabel("Prompt").fill("Migrate.\n$ echo well");
    button(page, "Restart").last().click();
    assertThat(page.locator(".state")).hasText("Done");
  }
}
