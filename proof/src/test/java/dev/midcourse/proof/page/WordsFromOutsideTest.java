package dev.midcourse.proof.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static dev.midcourse.proof.page.PageFixture.assertClimbed;
import static dev.midcourse.proof.page.PageFixture.button;
import static dev.midcourse.proof.page.PageFixture.steer;

import com.microsoft.playwright.APIResponse;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Text of an agent, a steer or a prompt can neither become markup of the page nor break it. */
@Tag("browser")
class WordsFromOutsideTest {
  private static final String EVIL =
      "<img src=x onerror=\"window.hacked=1\"><script>window.hacked=1</script>"
          + "<svg onload=\"window.hacked=1\"></svg>";
  private static final String LINKS =
      "[press](javascript:window.hacked=1) <a href='javascript:window.hacked=1'>b</a>"
          + " [data](data:text/html,hacked)";

  @RegisterExtension static final PageFixture fixture = new PageFixture();

  private static void lookAtEveryRow(Page page) {
    page.keyboard().press("1");
    for (Locator row : page.locator(".story-row .row-open").all()) {
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
   * The guard in every page of {@link Browsing} reports an error. Seen to fail when the text of a
   * row, of a detail, of a link in Markdown or of a banner was written as markup.
   */
  @Test
  void words_stay_words_in_every_row_tab_and_detail() {
    Page page = fixture.at("/");
    fixture
        .hub()
        .run("evil", "Prompt " + EVIL + "\n$ sleep 0.5; echo '" + EVIL + "'\n? ask " + EVIL);
    page.locator("#runs a[data-run=evil]").click();
    assertThat(page.locator(".banner.ask")).containsText("ask " + EVIL);
    assertThat(page.locator(".prompt summary")).containsText("Prompt " + EVIL);
    steer(page, "steer " + EVIL + LINKS);
    assertThat(page.locator(".receipt-text")).containsText("steer " + EVIL);
    lookAtEveryRow(page);
    button(page, "Stop").click();
    button(page, "Cancel").click();
    button(page, "Allow").click();
    assertThat(page.locator(".state")).hasText("Done");
    page.keyboard().press("2");
    assertThat(page.locator(".answer")).containsText("steer <img src=x");
    fixture.browsing().picture(page, "words-stay-words");
    lookAtEveryTab(page);
    lookAtEveryRow(page);
  }

  @Test
  void output_of_a_program_stays_text() {
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
    fixture.hub().post("/runs", Map.of("run_id", "prints", "agent", "parrot", "prompt", said));
    fixture.awaitState("prints", "done");
    Page page = fixture.at("/runs/prints");
    assertThat(page.locator(".answer td").first()).containsText("<img src=x");
    assertThat(page.locator(".answer")).containsText("[press](javascript:");
    lookAtEveryTab(page);
    lookAtEveryRow(page);
  }

  /** Seen to fail with a stack overflow when the depth of quotes had no limit. */
  @Test
  void an_answer_that_is_a_thousand_quotes_deep_leaves_the_page_whole() {
    fixture.hub().run("deep", "Go.\n$ sleep 600");
    Map<String, String> deep =
        Map.of("mode", "interrupt", "text", "deep\n\n" + ">".repeat(60_000) + " end of it");
    fixture.hub().post("/runs/deep/steers", deep);
    fixture.awaitState("deep", "done");
    Page page = fixture.at("/runs/deep");
    assertThat(page.locator(".answer")).containsText("end of it");
    Assertions.assertThat(page.locator(".answer blockquote").count()).isBetween(2, 20);
    fixture
        .hub()
        .post("/runs", Map.of("run_id", "after", "agent", "rehearsal", "prompt", "$ true"));
    assertThat(page.locator("#runs a[data-run=after]")).isVisible();
    page.keyboard().press("1");
    assertThat(page.locator(".story-row").last()).containsText("Done");
  }

  /**
   * Each text is a megabyte in which a construct begins many times and never ends. Each was seen to
   * fail or to hang with patterns that searched for the end everywhere.
   */
  @Test
  void words_that_are_slow_to_understand_do_not_hold_the_page_up() {
    Page page = fixture.at("/");
    Map<String, String> slow =
        Map.of(
            "open links", "'['.repeat(1e6)",
            "code of growing length",
                "Array.from({length: 1400}, (_, i) => '`'.repeat(i)).join('a')",
            "a heading's end", "'# a' + ' '.repeat(1e6) + 'b'",
            "a table's line", "'|\\n--' + ' '.repeat(1e6) + 'b'");
    slow.forEach((_, words) -> {
      page.evaluate(
          """
          () => { window.drawn = 0; setTimeout(async () => {
            const { prose } = await import("/js/markdown.js");
            window.drawn = prose(%s).textContent.length;
          }); }
          """
              .formatted(words));
      page.waitForFunction("() => window.drawn > 1000");
    });
  }

  /** Opens a page whose own script is broken at one place. */
  private static Page broken(String run, String file, String place) {
    Page page = fixture.browsing().newPage();
    page.route(
        "**/js/" + file,
        route -> {
          APIResponse whole = route.fetch();
          Assertions.assertThat(whole.text()).contains(place);
          String body = whole.text().replace(place, place + " throw new Error('on purpose');");
          route.fulfill(new Route.FulfillOptions().setResponse(whole).setBody(body));
        });
    page.navigate(fixture.hub().link("/runs/" + run));
    return page;
  }

  private static void assertComplained(Page page) {
    page.waitForCondition(() -> !fixture.browsing().complaints().isEmpty());
    Assertions.assertThat(fixture.browsing().takeComplaints())
        .allSatisfy(words -> Assertions.assertThat(words).contains("on purpose"));
  }

  /** Each was seen to fail when the error of one part was not caught where the part is drawn. */
  @Test
  void a_part_that_cannot_be_drawn_is_seen_and_does_not_stop_the_others() {
    fixture.hub().run("parts", "Go.\n$ sleep 0.2\n$ sleep 600");
    fixture.awaitTool("parts", "sleep 600"); // the steers are the last rows
    Page page = broken("parts", "story-view.js", "#drawWindow() {");
    assertThat(page.locator(".panel .wrong"))
        .containsText("the activity of this run cannot be displayed");
    steer(page, "first");
    assertClimbed(page, "accepted");
    page.keyboard().press("Escape");
    page.keyboard().press("5");
    assertThat(page.locator(".panel")).containsText("mid turn steer");
    assertComplained(page);
    page.close();
    Page other =
        broken(
            "parts", "receipt-view.js", "export function drawReceipt(node, steer, capabilities) {");
    assertThat(other.locator(".story-row").last()).containsText("first");
    steer(other, "second");
    assertThat(other.locator(".story-row").last()).containsText("second");
    assertComplained(other);
    other.close();
    fixture.hub().post("/runs/parts/steers", Map.of("mode", "interrupt", "text", "**third**"));
    fixture.awaitState("parts", "done");
    Page third = broken("parts", "markdown.js", "function markdown(source) {");
    assertThat(third.locator(".answer pre")).containsText("**third**");
    assertComplained(third);
  }

  /** Seen to fail when the list of events ended at the event. */
  @Test
  void an_event_that_cannot_be_understood_is_seen_and_does_not_stop_the_story() {
    fixture.hub().run("odd", "Go.\n$ sleep 600");
    Page page = fixture.browsing().newPage();
    page.route(
        "**/api/v1/runs/odd/events?*after=0",
        route -> {
          APIResponse whole = route.fetch();
          String body = whole.text().replace("\"author\"", "\"nobody\"");
          route.fulfill(new Route.FulfillOptions().setResponse(whole).setBody(body));
        });
    page.navigate(fixture.hub().link("/runs/odd"));
    assertThat(page.locator(".story-row").first()).containsText("Event cannot be displayed");
    steer(page, "still heard");
    assertClimbed(page, "accepted");
    page.waitForCondition(() -> fixture.browsing().complaints().size() == 1);
    Assertions.assertThat(fixture.browsing().takeComplaints().getFirst()).contains("group");
  }
}
