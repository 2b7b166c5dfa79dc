package dev.midcourse.proof.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import dev.midcourse.ledger.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Work that was dispatched into a checkout of its own, looked at and accepted in the browser. */
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

  @TempDir static Path temp;
  private static PageHub hub;
  private static Browsing browsing;

  @BeforeAll
  static void open() throws Exception {
    PlaywrightAssertions.setDefaultAssertionTimeout(30_000);
    Path data = Files.createDirectories(temp.resolve("data"));
    Path clones = temp.resolve("clones");
    Path shop = Files.createDirectories(clones.resolve("shop"));
    Files.writeString(shop.resolve("price.txt"), "one\n");
    shell("git init -q -b main && git add . && " + GIT + "commit -qm First", shop);
    Files.writeString(
        data.resolve("midcourse.toml"),
        "[workers.builder]\nagent = \"rehearsal\"\nworkspace = \"" + clones + "\"\n");
    hub = PageHub.start(data);
    browsing = Browsing.open(Path.of("target", "pictures"));
  }

  @AfterAll
  static void close() throws Exception {
    browsing.close();
    hub.close();
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

  private static Map<String, Object> dispatch() {
    return Map.of(
        "run_id", "price",
        "task_type", "implement",
        "context_intent", "fresh",
        "input", "$ echo 'two <b>' >> price.txt && " + GIT + "commit -qam Price\n$ sleep 600",
        "repo", "acme/shop",
        "base_branch", "main",
        "branch", "jarvis-price",
        "acceptance_tests", List.of("the price is there"),
        "output_contract", Map.of("required_fields", REQUIRED));
  }

  private static String completion(String commit) {
    Map<String, Object> said =
        Map.of(
            "run_id", "price",
            "branch", "jarvis-price",
            "commit_sha", commit,
            "files_changed", List.of("price.txt"),
            "test_result", "all passed",
            "risk", "low",
            "pr_skipped_reason", "no remote");
    return "<completion>\n" + Json.write(said) + "\n</completion>";
  }

  @Test
  void work_that_wants_a_review_is_shown_with_its_diff_and_accepted() throws Exception {
    Assertions.assertThat(hub.post("/dispatch?worker=builder", dispatch()).path("state").asString())
        .isEqualTo("queued");
    Page page = browsing.desk();
    page.navigate(hub.link("/runs/price"));
    assertThat(page.locator(".story-row").last()).containsText("sleep 600");
    page.keyboard().press("3");
    assertThat(page.locator(".diff-name")).hasText("price.txt");
    assertThat(page.locator(".diff-added")).hasText("+two <b>");
    String commit = shell("git rev-parse jarvis-price", temp.resolve("clones/shop"));
    // The rehearsal agent repeats in its answer what it was told.
    hub.post("/runs/price/steers", Map.of("mode", "interrupt", "text", completion(commit)));
    assertThat(page.locator(".state")).hasText("wants review");
    assertThat(page.locator("#runs a").first()).containsText("price");
    assertThat(page.locator(".group-title").first()).containsText("Needs you");
    browsing.picture(page, "review");
    page.locator(".banner").getByText("Accept").click();
    page.locator("dialog button[type=submit]").click();
    assertThat(page.locator(".state")).hasText("done");
    Assertions.assertThat(hub.get("/runs/price/events?limit=1000").toString())
        .containsOnlyOnce("run_reviewed");
  }
}
