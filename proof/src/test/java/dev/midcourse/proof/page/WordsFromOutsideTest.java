package dev.midcourse.proof.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static dev.midcourse.proof.page.House.button;
import static dev.midcourse.proof.page.House.steer;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an agent, a steer or a prompt says can neither become a part of the page nor break it. */
@Tag("browser")
class WordsFromOutsideTest {
  private static final String EVIL =
      "<img src=x onerror=\"window.hacked=1\"><script>window.hacked=1</script>"
          + "<svg onload=\"window.hacked=1\"></svg>";
  private static final String LINKS =
      "[press](javascript:window.hacked=1) <a href='javascript:window.hacked=1'>b</a>"
          + " [data](data:text/html,hacked)";

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

  private static void lookAtEveryRow(Page page) {
    page.keyboard().press("1");
    for (Locator row : page.locator(".story-row button").all()) {
      row.click();
      assertThat(row).hasAttribute("aria-current", "true");
      page.locator(".detail summary").click();
      assertThat(page.locator(".detail pre").last()).isVisible();
    }
  }

  private static void lookAtEveryTab(Page page) {
    for (String tab : List.of("2", "3", "4", "5")) {
      page.keyboard().press(tab);
      assertThat(page.locator(".panel")).not().hasText("Loading…");
    }
  }

  /**
   * The guard in every page of {@link Browsing} complains. Seen to fail when the words of a row, of
   * a detail, of a link in Markdown or of a banner were written as markup.
   */
  @Test
  void words_stay_words_in_every_row_tab_and_detail() {
    Page page = house.at("/");
    house.hub().run("evil", "Prompt " + EVIL + "\n$ sleep 0.5; echo '" + EVIL + "'\n? ask " + EVIL);
    page.locator("#runs a[data-run=evil]").click();
    assertThat(page.locator(".banner.ask")).containsText("ask " + EVIL);
    assertThat(page.locator(".prompt summary")).containsText("Prompt " + EVIL);
    steer(page, "steer " + EVIL + LINKS);
    assertThat(page.locator(".receipt-text")).containsText("steer " + EVIL);
    lookAtEveryRow(page);
    button(page, "Stop").click();
    button(page, "Cancel").click();
    button(page, "Allow").click();
    assertThat(page.locator(".state")).hasText("done");
    page.keyboard().press("2");
    assertThat(page.locator(".answer")).containsText("steer <img src=x");
    house.browsing().picture(page, "words-stay-words");
    lookAtEveryTab(page);
    lookAtEveryRow(page);
  }

  @Test
  void what_a_program_prints_stays_words() {
    String said =
        EVIL
            + "\n\n"
            + LINKS
            + "\n\n> "
            + EVIL
            + "\n\n| a | b |\n| -- | -- |\n| "
            + EVIL
            + " | "
            + LINKS
            + " |";
    house.hub().post("/runs", Map.of("run_id", "prints", "agent", "parrot", "prompt", said));
    house.awaitState("prints", "done");
    Page page = house.at("/runs/prints");
    assertThat(page.locator(".answer td").first()).containsText("<img src=x");
    assertThat(page.locator(".answer")).containsText("[press](javascript:");
    lookAtEveryTab(page);
    lookAtEveryRow(page);
  }
}
