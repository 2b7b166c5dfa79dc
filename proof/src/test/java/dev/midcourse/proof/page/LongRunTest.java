package dev.midcourse.proof.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static dev.midcourse.proof.page.House.button;

import com.microsoft.playwright.Download;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run of which there is a lot to see: its timeline, its story, its log, and what it has cost. */
@Tag("browser")
class LongRunTest {
  @TempDir static Path temp;
  private static House house;

  @BeforeAll
  static void open() throws Exception {
    house = House.open(temp.resolve("data"));
  }

  @AfterAll
  static void close() throws Exception {
    house.close();
  }

  @AfterEach
  void the_page_had_nothing_to_complain_about() {
    house.assertNoComplaints();
  }

  private static Page ended(String id, String prompt) {
    house.hub().run(id, prompt);
    house.awaitState(id, "done");
    Page page = house.at("/runs/" + id);
    page.locator("#tab-story").click();
    return page;
  }

  /** Seen to fail when the page asked for all of it. */
  @Test
  void of_a_long_log_only_the_end_is_read_and_the_whole_can_be_had() throws IOException {
    Page page = ended("logged", "Go.\n$ echo from-the-tool\n! flood 13000\n$ true");
    Path out = temp.resolve("data/runs/logged/attempt-1/out");
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
        .containsText(Pattern.compile("the end of it; .* left out"));
    house.browsing().picture(page, "raw-log");
    Download download =
        page.waitForDownload(() -> page.getByText(Pattern.compile("^Download all .* kB$")).click());
    Assertions.assertThat(download.suggestedFilename()).isEqualTo("logged.out.log");
    Assertions.assertThat(Files.size(download.path())).isEqualTo(size);
    button(page, "Errors").click();
    assertThat(log).hasText("Nothing was written.");
  }
}
