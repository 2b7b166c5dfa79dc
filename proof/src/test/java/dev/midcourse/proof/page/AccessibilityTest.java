package dev.midcourse.proof.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static dev.midcourse.proof.page.Accessibility.assertNoViolations;
import static dev.midcourse.proof.page.PageFixture.assertClimbed;
import static dev.midcourse.proof.page.PageFixture.steer;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.BoundingBox;
import com.microsoft.playwright.options.ColorScheme;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The main views against the rules of axe-core, the size of targets, and use by keyboard alone. */
@Tag("browser")
class AccessibilityTest {
  private static final int MIN_TARGET = 44;

  @RegisterExtension static final PageFixture fixture = new PageFixture();

  @BeforeAll
  static void start_runs() {
    fixture.hub().run("axe-done", "# Title\n\n### Deep\n\n- one\n- **two**\n$ echo done");
    fixture.hub().run("axe-run", "Fix it.\n! flood 3\n$ sleep 600");
    fixture.hub().run("axe-ask", "Release.\n? push the tag v1.4.0");
    fixture.awaitState("axe-done", "done");
  }

  private static Page at(String path, int width, int height, ColorScheme colours) {
    Page page = fixture.browsing().page(width, height, colours);
    page.navigate(fixture.hub().link(path));
    assertThat(page.locator("#connection")).hasText("Connected");
    return page;
  }

  /**
   * Seen to fail for the contrast of times in the selected row, for a list without a main landmark
   * and a heading on a phone, and for a panel that the keyboard could not scroll.
   */
  @ParameterizedTest
  @CsvSource({
    "1360, 860, LIGHT",
    "1024, 768, LIGHT",
    "390, 844, LIGHT",
    "1360, 860, DARK",
    "390, 844, DARK"
  })
  void no_view_violates_a_rule_of_axe(int width, int height, ColorScheme colours) {
    Page stranger = fixture.browsing().page(width, height, colours);
    stranger.navigate(fixture.hub().url("/"));
    assertThat(stranger.locator("#gate")).isVisible();
    assertNoViolations(stranger, "the sign-in");
    Page page = at("/", width, height, colours);
    assertThat(page.locator("#runs a[data-run=axe-ask]")).isVisible();
    assertNoViolations(page, "the list");
    page.locator("#sessions").click();
    assertThat(page.getByRole(AriaRole.DIALOG)).isVisible();
    assertNoViolations(page, "the sessions");
    page.keyboard().press("Escape");
    page.locator("#new-run").click();
    page.locator("dialog summary").click();
    assertNoViolations(page, "new run");
    fixture.browsing().picture(page, "axe-new-run-" + width + colours);
    page.keyboard().press("Escape");
    page.locator("#runs a[data-run=axe-ask]").click();
    assertThat(page.locator(".banner.ask")).isVisible();
    page.locator(".steer-options summary").click();
    assertNoViolations(page, "a run that asks, with options");
    fixture.browsing().picture(page, "axe-ask-" + width + colours);
    page.keyboard().press("a");
    assertThat(page.getByRole(AriaRole.DIALOG)).isVisible();
    assertNoViolations(page, "the confirmation");
    page.keyboard().press("n");
    page.navigate(fixture.hub().link("/runs/axe-run"));
    assertThat(page.locator(".state")).isVisible();
    steer(page, "mind the gap");
    assertClimbed(page, "stored");
    page.locator(".story-row .row-open").last().click();
    assertNoViolations(page, "a run with a selected event");
    page.keyboard().press("4");
    assertThat(page.locator("pre.log")).isVisible();
    assertNoViolations(page, "the raw log");
    page.keyboard().press("5");
    assertThat(page.locator(".details-tab")).isVisible();
    assertNoViolations(page, "the details");
    page.navigate(fixture.hub().link("/runs/axe-done"));
    assertThat(page.locator(".answer")).isVisible();
    assertNoViolations(page, "the result");
  }

  /** Seen to fail when buttons of a phone were 26 pixels high. */
  @Test
  void targets_of_a_phone_are_large_enough_for_a_finger() {
    Page page = at("/", 390, 844, ColorScheme.LIGHT);
    assertThat(page.locator("#runs a[data-run=axe-ask]")).isVisible();
    List<String> small = new ArrayList<>(smallTargets(page));
    page.locator("#runs a[data-run=axe-ask]").click();
    assertThat(page.locator(".banner.ask")).isVisible();
    page.locator(".steer-options summary").click();
    small.addAll(smallTargets(page));
    page.locator("#tab-receipts").click();
    small.addAll(smallTargets(page));
    Assertions.assertThat(small).isEmpty();
  }

  private static List<String> smallTargets(Page page) {
    List<String> small = new ArrayList<>();
    for (Locator target : page.locator("button, a[href], select, summary, .mode, textarea").all()) {
      BoundingBox box = target.isVisible() ? target.boundingBox() : null;
      boolean away = target.evaluate("node => node.matches('.skip')").equals(true);
      if (box != null && !away && (box.height < MIN_TARGET || box.width < MIN_TARGET)) {
        small.add(
            target.evaluate("node => node.outerHTML") + " is " + box.width + "x" + box.height);
      }
    }
    return small;
  }

  /** Every stop of the Tab key on the page of a run is visible and has a name. */
  @ParameterizedTest
  @CsvSource({"1360, 860", "1024, 768", "390, 844"})
  void the_keyboard_reaches_every_control_of_a_run_and_shows_where_it_is(int width, int height) {
    Page page = at("/runs/axe-ask", width, height, ColorScheme.LIGHT);
    assertThat(page.locator(".banner.ask")).isVisible();
    List<String> stops = new ArrayList<>();
    for (int i = 0; i < 80; i++) {
      page.keyboard().press("Tab");
      String stop =
          (String)
              page.evaluate(
                  "() => { const node = document.activeElement; const { width, height } ="
                      + " node.getBoundingClientRect(); const style = getComputedStyle(node);"
                      + " const shown = width > 0 && height > 0"
                      + " && (style.outlineStyle !== 'none' || node.matches('input, textarea'));"
                      + " return (shown ? '' : 'hidden: ') + node.tagName + ' ' + node.className; }");
      if (stop.contains("BODY")) {
        break;
      }
      stops.add(stop);
    }
    Assertions.assertThat(stops).noneMatch(stop -> stop.startsWith("hidden: "));
    Assertions.assertThat(String.join("\n", stops))
        .contains("act-allow")
        .contains("act-deny")
        .contains("TEXTAREA")
        .contains("SUMMARY")
        .contains("send");
  }
}
