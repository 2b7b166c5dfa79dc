package dev.midcourse.proof.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static dev.midcourse.proof.page.Accessibility.assertNoViolations;
import static dev.midcourse.proof.page.PageFixture.button;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.assertj.core.api.Assertions;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Autopilot loops on the page: their lanes, findings, steers, and the review of a person. */
@Tag("browser")
class LoopsOnThePageTest {
  private static final Duration TIMEOUT = Duration.ofMinutes(2);
  private static final String GIT = "git -c user.name=R -c user.email=r@localhost ";

  @RegisterExtension
  static final PageFixture fixture =
      new PageFixture(its -> {
        Path shop = Files.createDirectories(its.folder().resolve("shop"));
        Files.writeString(shop.resolve("price.txt"), "one\n");
        sh(shop, "git init -q -b main && git add . && " + GIT + "commit -qm First");
        Files.writeString(its.data().resolve("midcourse.toml"), PageFixture.SETTINGS);
      });

  @AfterAll
  static void stop_all_loops() {
    fixture
        .hub()
        .get("/loops")
        .path("loops")
        .forEach(loop ->
            fixture.hub().post("/loops/" + loop.path("loop_id").asString() + "/stop", Map.of()));
  }

  private static void sh(Path folder, String command) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder("sh", "-ec", command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException(command + ": " + said);
    }
  }

  /** A line with which the rehearsal agent writes and commits a file. */
  private static String commits(String text) {
    return "$ echo '%s' > price.txt && %scommit -qam 'write %s'".formatted(text, GIT, text);
  }

  private static String start(String prompt, String reviewer, String ci) {
    JsonNode loop =
        fixture
            .hub()
            .post(
                "/loops",
                Map.of(
                    "prompt",
                    prompt,
                    "repo",
                    fixture.folder().resolve("shop").toString(),
                    "agent",
                    "rehearsal",
                    "reviewer",
                    reviewer,
                    "ci",
                    ci));
    String id = loop.path("loop_id").asString("");
    Assertions.assertThat(id).as(loop.toString()).isNotEmpty();
    return id;
  }

  private static JsonNode loop(String id) {
    return fixture.hub().get("/loops/" + id).path("loop");
  }

  private static void awaitPhase(String id, String phase) {
    Awaitility.await(phase)
        .atMost(TIMEOUT)
        .until(() -> loop(id).path("phase").asString("").equals(phase));
  }

  /** A loop whose CI is red and whose fixer changes nothing, so that it asks a person. */
  private static String parked() {
    String id = start("Change the price\n" + commits("two"), "none", "grep -q right price.txt");
    awaitPhase(id, "parked");
    return id;
  }

  private static Page at(String path, int width, int height, ColorScheme colours) {
    Page page = fixture.browsing().page(width, height, colours);
    page.navigate(fixture.hub().link(path));
    assertThat(page.locator("#connection")).containsText("Connected");
    return page;
  }

  private static Page at(String path) {
    return at(path, 1360, 860, ColorScheme.LIGHT);
  }

  private static void assertNoSidewaysScrolling(Page page) {
    Assertions.assertThat(
            page.evaluate(
                "() => document.documentElement.scrollWidth <= document.documentElement.clientWidth"))
        .isEqualTo(true);
  }

  @ParameterizedTest
  @CsvSource({
    "1360, 860, LIGHT",
    "1024, 768, LIGHT",
    "390, 844, LIGHT",
    "1360, 860, DARK",
    "390, 844, DARK"
  })
  void a_parked_loop_is_shown_with_its_question_lanes_and_findings(
      int width, int height, ColorScheme colours) {
    String id = parked();
    Page page = at("/", width, height, colours);
    Locator row = page.locator("#runs a[data-loop=" + id + "]");
    assertThat(row).containsText("Parked: contract");
    assertNoViolations(page, "the list with a loop");
    row.click();
    assertThat(page).hasURL(fixture.hub().url("/loops/" + id));
    assertThat(page.locator(".banner")).containsText("It asks you:");
    assertThat(page.locator(".lane-name"))
        .hasText(new String[] {"implement", "ci", "fix", "parked"});
    assertThat(page.locator(".lane[data-lane=ci] .segment[data-tone=bad]")).hasCount(1);
    assertThat(page.locator(".run-facts")).containsText("fixes 1/5");
    assertThat(page.locator("[data-finding=F1]")).containsText("CI");
    assertNoViolations(page, "the findings of a loop");
    assertNoSidewaysScrolling(page);
    fixture.browsing().picture(page, "loop-" + width + colours);
    page.keyboard().press("2");
    assertThat(page.locator(".round").first()).containsText("implement");
    assertNoViolations(page, "the rounds of a loop");
    fixture.browsing().picture(page, "loop-rounds-" + width + colours);
    page.keyboard().press("3");
    assertThat(page.locator(".diff-added")).containsText("+two");
    assertNoViolations(page, "the changes of a loop");
    fixture.browsing().picture(page, "loop-changes-" + width + colours);
    page.keyboard().press("4");
    assertThat(page.locator(".loop-news")).containsText("parked (contract)");
    assertNoViolations(page, "the news of a loop");
    page.keyboard().press("5");
    assertThat(page.locator(".wordings")).containsText("Version 1");
    assertNoViolations(page, "the details of a loop");
    page.keyboard().press("g");
    assertThat(page.getByRole(AriaRole.DIALOG)).isVisible();
    assertNoViolations(page, "the question before it goes on");
    page.keyboard().press("Escape");
    assertNoSidewaysScrolling(page);
  }

  /** Seen to fail when the page sends the newest commit instead of the one that was shown. */
  @Test
  void a_person_reviews_lines_and_a_commit_that_has_moved_is_not_approved_unseen() {
    String id = start("Change the price\n" + commits("wrong"), "me", "true");
    Page page = at("/loops/" + id);
    assertThat(page.locator(".state")).hasText("Waiting for your review");
    assertThat(page.locator(".review .diff-added")).containsText("+wrong");
    page.getByLabel("Comment on price.txt line 1").click();
    page.getByLabel("Finding").fill("The price is wrong");
    page.getByLabel("Severity").selectOption("minor");
    button(page, "Add finding").click();
    assertThat(page.locator(".review-files .remark")).containsText("The price is wrong");
    assertThat(button(page, "Approve")).isDisabled();
    fixture.browsing().picture(page, "loop-review");
    page.getByLabel("Next fix").check();
    assertThat(page.locator("#loop-destination")).hasText("Destination: held for fix 1.");
    page.getByLabel("Message to the loop").fill(commits("right"));
    button(page, "Send").click();
    assertThat(page.locator(".loop-dock .receipt-news")).hasText("held for fix 1");
    Page other = at("/loops/" + id);
    assertThat(other.locator(".review .diff-added")).containsText("+wrong");
    button(page, "Send 1 finding").click();
    assertThat(page.locator(".lane[data-lane=fix] .segment")).hasCount(1);
    Awaitility.await()
        .atMost(TIMEOUT)
        .until(() -> loop(id).path("check").path("round").asInt(0) == 2);
    assertThat(other.locator(".review .banner")).containsText("The branch has moved");
    button(other, "Approve").click();
    assertThat(other.locator(".review-bar .wrong")).containsText("waits for one");
    button(other, "Load the newest changes").click();
    assertThat(other.locator(".review .diff-added")).containsText("+right");
    page.keyboard().press("Escape");
    page.locator("#loop-tab-findings").click();
    assertThat(page.locator("[data-finding=F1]")).containsText("price.txt:1");
    assertThat(page.locator("[data-finding=F1] .finding-state")).hasText("fixed");
    button(other, "Approve").click();
    assertThat(other.locator(".state")).hasText("Done");
    assertThat(page.locator("[data-finding=F1] .finding-state")).hasText("confirmed");
    assertThat(page.locator(".banner[data-tone=ok]")).containsText("reviewed by main");
    Locator reviews = page.locator(".lane[data-lane=review] .segment");
    assertThat(reviews).hasCount(2);
    assertThat(reviews.last()).hasAttribute("data-tone", "ok");
    fixture.browsing().picture(page, "loop-done");
    assertThat(page.locator(".loop-dock .receipt-news")).containsText("given to fix run");
    page.locator(".loop-dock .given a").click();
    assertThat(page).hasURL(Pattern.compile(".*/runs/.*-fix"));
  }

  @Test
  void a_finding_is_dropped_with_a_reason_and_the_loop_goes_on() {
    String id = parked();
    Page page = at("/loops/" + id);
    button(page, "Drop F1").click();
    page.getByRole(AriaRole.DIALOG).getByLabel("Reason").fill("the test is wrong");
    page.locator("dialog button[type=submit]").click();
    assertThat(page.locator("[data-finding=F1] .finding-state")).hasText("dropped");
    assertThat(page.locator("[data-finding=F1]")).containsText("Dropped: the test is wrong");
    page.locator(".banner-actions").getByText("Go on").click();
    page.locator("dialog button[type=submit]").click();
    assertThat(page.locator(".banner")).not().containsText("It asks you");
  }

  @Test
  void a_wait_is_skipped_after_a_question_and_marked_in_its_lane() {
    String id = start("Change the price\n" + commits("two"), "none", "sleep 600");
    awaitPhase(id, "check");
    Page page = at("/loops/" + id);
    button(page, "Skip wait").click();
    assertThat(page.getByRole(AriaRole.DIALOG)).containsText("It does not count as clean.");
    page.locator("dialog button[type=submit]").click();
    assertThat(page.locator(".state")).hasText("Done");
    assertThat(page.locator(".lane[data-lane=ci] .segment[data-cut=true]")).hasText("⇥");
    assertThat(page.locator(".banner")).containsText("not tested: skipped by");
  }

  @Test
  void a_loop_is_paused_reworded_and_stopped_by_keyboard() {
    String id = start("Wait\n$ sleep 600", "none", "true");
    awaitPhase(id, "implement");
    Page page = at("/loops/" + id);
    button(page, "Pause").click();
    assertThat(page.locator(".state")).hasText("Parked: paused");
    page.keyboard().press("r");
    page.getByRole(AriaRole.DIALOG).getByLabel("Task").fill("Wait longer\n$ sleep 700");
    page.locator("dialog button[type=submit]").click();
    assertThat(page.locator(".state")).hasText("Implement");
    assertThat(page.locator(".prompt summary")).containsText("Version 2: Wait longer");
    page.keyboard().press("x");
    page.locator("dialog button[type=submit]").click();
    assertThat(page.locator(".state")).hasText("Stopped");
    assertThat(page.locator(".composer-ended")).containsText("Restart it");
  }

  /** Phases, and a change of a forge, that this page does not know are shown by their names. */
  @Test
  void other_phases_have_lanes_and_a_change_is_linked() {
    String id = parked();
    Page page = fixture.browsing().newPage();
    page.route(
        Pattern.compile("/api/v1/loops/" + id + "$"),
        route ->
            route.fulfill(
                new Route.FulfillOptions()
                    .setContentType("application/json")
                    .setBody(
                        route
                            .fetch()
                            .text()
                            .replace("\"phase\":\"prepare\"", "\"phase\":\"publish\"")
                            .replace(
                                "\"land\":false",
                                "\"land\":false,\"change\":{\"number\":7,\"url\":\"https://forge.test/7\"}"))));
    page.navigate(fixture.hub().link("/loops/" + id));
    assertThat(page.locator(".lane[data-lane=publish] .segment")).hasCount(1);
    assertThat(page.locator(".run-facts a")).hasText("change 7");
    assertThat(page.locator(".run-facts a")).hasAttribute("href", "https://forge.test/7");
  }

  @Test
  void every_control_of_a_loop_is_reached_by_tab() {
    Page page = at("/loops/" + parked());
    assertThat(page.locator("[data-finding=F1]")).isVisible();
    Set<String> stops = new HashSet<>();
    for (int i = 0; i < 60; i++) {
      page.keyboard().press("Tab");
      stops.add((String) page.evaluate("() => document.activeElement.textContent.trim()"));
    }
    Assertions.assertThat(stops)
        .contains("Go on", "Land when clean", "Restart", "Stop", "Drop", "Uphold", "Nit", "Send");
  }

  @Test
  void words_of_findings_stay_words() {
    String evil = "<img src=x onerror=alert(1)>";
    String id = start("Change\n" + commits("evil"), "me", "true");
    Awaitility.await()
        .atMost(TIMEOUT)
        .until(() -> loop(id).path("check").path("ci").asString("").equals("green"));
    Map<String, String> review =
        Map.of("head", loop(id).path("head").asString(), "findings", "price.txt:1: minor: " + evil);
    fixture.hub().post("/loops/" + id + "/review", review);
    Page page = at("/loops/" + id);
    page.locator("#loop-tab-findings").click();
    assertThat(page.locator("[data-finding=F1] .finding-title")).hasText(evil);
  }
}
