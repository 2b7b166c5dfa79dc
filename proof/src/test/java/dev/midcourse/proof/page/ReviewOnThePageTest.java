package dev.midcourse.proof.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import dev.midcourse.ledger.json.JsonCodec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Work that was dispatched into its own checkout, reviewed and accepted in the browser. */
@Tag("browser")
class ReviewOnThePageTest {
  private static final String GIT = "git -c user.name=W -c user.email=w@example.org ";
  private static final List<String> REQUIRED =
      List.of(
          "run_id",
          "branch",
          "commit_sha",
          "files_changed",
          "test_result",
          "risk",
          "pr_skipped_reason");

  @RegisterExtension
  static final PageFixture fixture = new PageFixture(ReviewOnThePageTest::furnish);

  private static void furnish(PageFixture fixture) throws Exception {
    Path clones = fixture.folder().resolve("clones");
    Path shop = Files.createDirectories(clones.resolve("shop"));
    Files.writeString(shop.resolve("price.txt"), "one\n");
    shell("git init -q -b main && git add . && " + GIT + "commit -qm First", shop);
    Files.writeString(
        fixture.data().resolve("midcourse.toml"),
        "[workers.builder]\nagent = \"rehearsal\"\nworkspace = \"" + clones + "\"\n");
  }

  private static String shell(String command, Path folder) throws Exception {
    Process process =
        new ProcessBuilder("bash", "-c", command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8).strip();
    if (process.waitFor() != 0) {
      throw new IOException(command + ": " + said);
    }
    return said;
  }

  private static Map<String, Object> dispatch(String run) {
    return Map.of(
        "run_id",
        run,
        "task_type",
        "implement",
        "context_intent",
        "fresh",
        "input",
        "$ echo 'two <b>' >> price.txt && " + GIT + "commit -qam Price\n$ sleep 600",
        "repo",
        "acme/shop",
        "base_branch",
        "main",
        "branch",
        "jarvis-" + run,
        "acceptance_tests",
        List.of("the price is there"),
        "output_contract",
        Map.of("required_fields", REQUIRED));
  }

  /** Completes the work. The rehearsal agent repeats its instructions in its answer. */
  private static Page awaitsReview(String run, String tests) throws Exception {
    Assertions.assertThat(
            fixture.hub().post("/dispatch?worker=builder", dispatch(run)).path("state").asString())
        .isEqualTo("queued");
    Page page = fixture.at("/runs/" + run);
    assertThat(page.locator(".story-row.kind-tool").last()).containsText("sleep 600");
    page.keyboard().press("3");
    assertThat(page.locator(".diff-name")).hasText("price.txt");
    assertThat(page.locator(".diff-added")).hasText("+two <b>");
    String commit = shell("git rev-parse jarvis-" + run, fixture.folder().resolve("clones/shop"));
    String completion = completion(run, commit, tests);
    fixture.hub().post("/runs/" + run + "/steers", Map.of("mode", "interrupt", "text", completion));
    assertThat(page.locator(".state")).hasText("Needs review");
    return page;
  }

  private static String completion(String run, String commit, String tests) {
    Map<String, Object> said =
        Map.of(
            "run_id",
            run,
            "branch",
            "jarvis-" + run,
            "commit_sha",
            commit,
            "files_changed",
            List.of("price.txt"),
            "test_result",
            tests,
            "risk",
            "low",
            "pr_skipped_reason",
            "no remote");
    return "<completion>\n" + JsonCodec.write(said) + "\n</completion>";
  }

  /** Seen to fail when the note of the hub is a line of the file before it. */
  @Test
  void changes_that_are_not_committed_are_under_a_note_of_their_own() throws Exception {
    Page page = awaitsReview("open", "all passed");
    Path work = Path.of(fixture.hub().get("/runs/open").path("dir").asString());
    Files.writeString(work.resolve("later.txt"), "later\n");
    page.reload();
    assertThat(page.locator(".state")).hasText("Needs review");
    page.keyboard().press("3");
    assertThat(page.locator(".diff-note"))
        .hasText("the changes below are not committed; a push would not send them");
    assertThat(page.locator(".diff-name")).hasText(new String[] {"price.txt", "later.txt"});
    fixture.browsing().picture(page, "open-changes");
  }

  @Test
  void work_that_wants_a_review_is_shown_with_its_diff_and_accepted() throws Exception {
    Page page = awaitsReview("price", "all passed");
    assertThat(page.locator("#runs a").first()).containsText("price");
    assertThat(page.locator(".group-title >> visible=true").first())
        .containsText("Needs attention");
    fixture.browsing().picture(page, "review");
    page.locator(".banner").getByText("Accept").click();
    page.locator("dialog button[type=submit]").click();
    assertThat(page.locator(".state")).hasText("Done");
    Assertions.assertThat(fixture.hub().get("/runs/price/events?limit=1000").toString())
        .containsOnlyOnce("run_reviewed");
  }

  @Test
  void work_that_is_not_good_enough_is_reworked_by_a_run_that_opens() throws Exception {
    Page page = awaitsReview("rough", "all passed");
    page.locator(".banner").getByText("Request changes").click();
    page.getByLabel("Requested changes").fill("the price is wrong");
    page.locator("dialog button[type=submit]").click();
    assertThat(page.locator("#main h1")).not().hasText("rough");
    assertThat(page.locator("#main h1")).containsText("rough");
    assertThat(page.locator(".prompt pre")).containsText("the price is wrong");
    page.keyboard().press("5");
    assertThat(page.locator(".details-tab")).containsText("Parent runrough");
    Assertions.assertThat(fixture.hub().get("/runs/rough/events?limit=1000").toString())
        .containsOnlyOnce("the price is wrong");
  }

  /**
   * {@link Browsing} reports an error. Seen to fail when a row of the story was written as markup.
   */
  @Test
  void text_of_a_completion_stays_text() throws Exception {
    String evil = "passed <img src=x onerror=alert(1)><svg onload=alert(2)></svg>";
    Page page = awaitsReview("sly", evil);
    page.keyboard().press("1");
    Locator row =
        page.locator(".story-row", new Page.LocatorOptions().setHasText("Completion valid"));
    assertThat(row).containsText(evil);
    row.click();
    assertThat(page.locator(".detail")).containsText(evil);
    page.keyboard().press("2");
    assertThat(page.locator(".answer")).containsText(evil);
  }
}
