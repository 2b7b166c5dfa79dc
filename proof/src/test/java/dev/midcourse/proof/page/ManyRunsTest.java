package dev.midcourse.proof.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static dev.midcourse.proof.page.PageFixture.button;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.assertions.LocatorAssertions;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The list of runs when there are more runs than fit. */
@Tag("browser")
class ManyRunsTest {
  @RegisterExtension static final PageFixture fixture = new PageFixture();

  private static Locator run(Page page, String id) {
    return page.locator("#runs a[data-run=" + id + "]");
  }

  private static void queue(int from, int to) {
    IntStream.range(from, to)
        .mapToObj(
            number -> Map.of("run_id", "queued-" + number, "worker", "lane", "prompt", "$ true"))
        .forEach(request -> fixture.hub().post("/runs", request));
  }

  /** Seen to fail when only the newest page of live runs was requested. */
  @Test
  void the_oldest_run_that_asks_stands_first_behind_hundreds_of_newer_ones() {
    fixture.hub().run("first-done", "$ echo needle-in-the-past");
    fixture.awaitState("first-done", "done");
    fixture
        .hub()
        .post("/runs", Map.of("run_id", "lane-busy", "worker", "lane", "prompt", "$ sleep 600"));
    fixture.hub().run("old-asks", "Release.\n? push the tag v9");
    queue(0, 520);
    Page page = fixture.at("/");
    assertThat(page.locator("#runs a").first()).containsText("push the tag v9");
    assertThat(page.locator(".group-title[data-group=queued] .count")).hasText("520");
    assertThat(page.locator("section[aria-label=Queued] li")).hasCount(300);
    assertThat(page.locator("section[aria-label=Queued] .rest"))
        .hasText("220 more. Use search to find them.");
    fixture.browsing().picture(page, "many-runs");
    page.getByLabel("Search runs").fill("queued-0");
    assertThat(run(page, "queued-0")).isVisible();
    page.getByLabel("Search runs").fill("needle-in-the-past");
    assertThat(page.locator(".runs .nothing")).hasText("No matching runs.");
    assertThat(page.locator(".reach"))
        .containsText("loaded runs. Older ended runs are not loaded.");
    for (int older = 0; older < 2; older++) {
      page.waitForResponse(
          answer -> answer.url().contains("older_than"),
          () -> button(page, "Search older runs").click());
    }
    assertThat(run(page, "first-done")).isVisible();
  }

  /**
   * The newest page has one run instead of 200. Seen to fail when the page loaded only the newest
   * runs and the active ones: a failure that many newer runs had followed was missing.
   */
  @Test
  void a_failure_needs_attention_however_many_runs_came_after_it() {
    fixture
        .hub()
        .post(
            "/runs",
            Map.of(
                "run_id",
                "old-failure",
                "agent",
                "rehearsal",
                "attempts",
                1,
                "prompt",
                "! exit-without-answer"));
    fixture.awaitState("old-failure", "failed");
    fixture.hub().run("newer", "$ sleep 600");
    Page page = fixture.browsing().newPage();
    page.route(
        "**/api/v1/runs?limit=200",
        route ->
            route.resume(
                new Route.ResumeOptions()
                    .setUrl(route.request().url().replace("limit=200", "limit=1"))));
    page.navigate(fixture.hub().link("/"));
    assertThat(run(page, "newer")).isVisible();
    assertThat(page.locator("section[aria-label='Needs attention'] a[data-run=old-failure]"))
        .isVisible();
  }

  /**
   * The test fakes the hub's responses: more than ten thousand live runs. Seen to fail when the
   * page did not mention the others.
   */
  @Test
  void more_live_runs_than_the_page_keeps_are_not_passed_over_in_silence() {
    Page page = fixture.browsing().newPage();
    page.route("**/api/v1/runs?*", route -> route.fulfill(pageOf500(route.request().url())));
    page.navigate(fixture.hub().link("/"));
    assertThat(page.locator(".reach"))
        .hasText(
            "Showing 10000 active runs. The oldest active runs are not loaded.",
            new LocatorAssertions.HasTextOptions().setTimeout(300_000));
    assertThat(page.locator(".group-title[data-group=running] .count")).hasText("10000");
    page.getByLabel("Search runs").fill("made-up-9999");
    assertThat(page.locator("#runs a")).hasCount(1);
  }

  private static Route.FulfillOptions pageOf500(String url) {
    if (url.contains("needs=true")) {
      return new Route.FulfillOptions().setContentType("application/json").setBody("{\"runs\":[]}");
    }
    int at = url.indexOf("older_than=made-up-");
    int from =
        at < 0 ? 0 : Integer.parseInt(url.substring(at + "older_than=made-up-".length())) + 1;
    String runs =
        IntStream.range(from, from + 500)
            .mapToObj(number ->
                """
                {"run_id":"made-up-%d","state":"running","prompt":"$ true","agent":"rehearsal","worker":"any",
                 "dir":"/","steers":0,"created_at":"2026-01-01T00:00:00Z","started_at":"2026-01-01T00:00:00Z"}\
                """
                    .formatted(number))
            .collect(Collectors.joining(","));
    return new Route.FulfillOptions()
        .setContentType("application/json")
        .setBody("{\"runs\":[" + runs + "],\"next\":\"made-up-" + (from + 499) + "\"}");
  }

  @Test
  void the_chips_choose_which_runs_are_listed() {
    fixture.hub().run("chip-ended", "$ true");
    fixture.awaitState("chip-ended", "done");
    fixture.hub().run("chip-asks", "Go.\n? may I");
    fixture.hub().run("chip-live", "$ sleep 600");
    Page page = fixture.at("/");
    page.getByLabel("Search runs").fill("chip-");
    Map<String, List<String>> chosen =
        Map.of(
            "all", List.of("chip-asks", "chip-live", "chip-ended"),
            "needs", List.of("chip-asks"),
            "live", List.of("chip-asks", "chip-live"),
            "ended", List.of("chip-ended"));
    chosen.forEach((chip, runs) -> {
      Locator button = page.locator("#filters [data-filter=" + chip + "]");
      button.click();
      assertThat(button).hasAttribute("aria-pressed", "true");
      assertThat(page.locator("#runs a .name")).hasText(runs.toArray(String[]::new));
    });
    assertThat(page.locator("#filters [aria-pressed=true]")).hasCount(1);
    Assertions.assertThat(page.title()).startsWith("(");
  }
}
