package dev.midcourse.proof.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static dev.midcourse.proof.page.PageFixture.button;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How the page shows what an agent asks, and how a person answers. */
@Tag("browser")
class AskOnThePageTest {
  @RegisterExtension static final PageFixture fixture = new PageFixture();

  private static Locator dialog(Page page) {
    return page.getByRole(AriaRole.DIALOG);
  }

  /** Seen to fail when the key a answered at once. */
  @ParameterizedTest
  @CsvSource({"1360, 860", "1024, 768", "390, 844"})
  void the_key_a_asks_first_and_y_or_n_answers(int width, int height) {
    String run = "key-a-" + width;
    fixture.hub().run(run, "Release.\n? push the tag v1.4.0\n$ echo pushed");
    Page page = fixture.browsing().page(width, height, ColorScheme.LIGHT);
    page.navigate(fixture.hub().link("/runs/" + run));
    assertThat(page.locator(".banner.ask")).isVisible();
    page.keyboard().press("a");
    assertThat(dialog(page)).containsText("push the tag v1.4.0");
    page.keyboard().press("n");
    assertThat(dialog(page)).hasCount(0);
    page.keyboard().press("a");
    page.keyboard().press("Escape");
    assertThat(dialog(page)).hasCount(0);
    String asks = fixture.hub().get("/runs/" + run + "/asks").toString();
    Assertions.assertThat(asks).doesNotContain("closed_at\":\"2");
    assertThat(page.locator(".banner.ask")).isVisible();
    page.keyboard().press("a");
    page.keyboard().press("y");
    assertThat(page.locator(".state")).hasText("Done");
    Assertions.assertThat(fixture.hub().get("/runs/" + run + "/events?limit=1000").toString())
        .doesNotContain("Skipped");
  }

  /** Seen to fail when the key d denied at once, without a reason. */
  @Test
  void the_key_d_asks_for_a_reason() {
    fixture.hub().run("key-d", "Release.\n? push the tag v1.4.0\n$ echo pushed");
    Page page = fixture.at("/runs/key-d");
    assertThat(page.locator(".banner.ask")).isVisible();
    page.keyboard().press("d");
    dialog(page).getByLabel("Reason").fill("not on a Friday");
    page.keyboard().press("Enter");
    assertThat(page.locator(".state")).hasText("Done");
    Assertions.assertThat(fixture.hub().get("/runs/key-d/events?limit=1000").toString())
        .contains("not on a Friday");
  }

  private static MadeUpEvents asked(String kind, String question, String detail) {
    return new MadeUpEvents(Instant.parse("2026-01-01T12:00:00Z"))
        .at(Duration.ZERO, "run_queued", "'author':{'group':'main','origin':'cli'},'prompt':'Go.'")
        .at(Duration.ofSeconds(1), "run_picked", "'host':'here'")
        .at(
            Duration.ofSeconds(2),
            "asked",
            "'ask':'q','ask_kind':'%s','question':'%s','detail':'%s'"
                .formatted(kind, question, detail));
  }

  private static Page open(MadeUpEvents events) {
    if (fixture.hub().get("/runs/wants").path("run_id").isMissingNode()) {
      fixture.hub().run("wants", "$ sleep 600");
    }
    Page page = fixture.browsing().newPage();
    events.serve(page, "wants");
    page.navigate(fixture.hub().link("/runs/wants"));
    assertThat(page.locator(".banner.ask")).isVisible();
    return page;
  }

  /**
   * Seen to fail when the detail had no lines of its own: a change looked like its surroundings.
   */
  @Test
  void a_command_and_the_change_of_a_file_are_shown_line_by_line() {
    Page page =
        open(asked("permission", "Bash: git add .", "command\\n  │ git add .\\n  │ + git push"));
    assertThat(page.locator(".ask-detail .ask-name")).hasText("command");
    assertThat(page.locator(".ask-detail .ask-value"))
        .hasText(new String[] {"│ git add .", "│ + git push"});
    assertThat(page.locator(".ask-detail .diff-added")).hasCount(0);
    fixture.browsing().picture(page, "ask-command");
    String edit = "file_path\\n  │ src/App.java\\nchange\\n  │ - int x;\\n  │ + long x;";
    Page change = open(asked("permission", "Edit: src/App.java", edit));
    assertThat(change.locator(".ask-detail .diff-removed")).hasText("│ - int x;");
    assertThat(change.locator(".ask-detail .diff-added")).hasText("│ + long x;");
    fixture.browsing().picture(change, "ask-edit");
    Page plain = open(asked("permission", "push", "in other words"));
    assertThat(plain.locator(".ask-detail")).hasText("in other words");
  }

  /** Seen to fail when a question had only Allow and Deny. */
  @Test
  void a_question_is_answered_in_words() {
    Page page = open(asked("question", "Which database?", ""));
    List<String> sent = new ArrayList<>();
    page.route(
        "**/api/v1/runs/wants/asks/q",
        route -> {
          sent.add(route.request().postData());
          route.fulfill(
              new Route.FulfillOptions().setContentType("application/json").setBody("{}"));
        });
    page.keyboard().press("a");
    page.keyboard().type("the small one");
    button(page, "Answer").click();
    page.waitForCondition(() -> !sent.isEmpty());
    Assertions.assertThat(sent).containsExactly("{\"answer\":\"the small one\"}");
    assertThat(button(page, "Allow")).hasCount(0);
  }

  /** Seen to fail when the list lost the question as soon as the run was opened. */
  @Test
  void the_row_of_a_run_that_asks_keeps_its_question_when_the_run_is_opened() {
    fixture.hub().run("row-asks", "Release.\n? push the tag v2.0.0");
    Page page = fixture.at("/");
    Locator row = page.locator("#runs a[data-run=row-asks]");
    assertThat(row.locator(".doing")).hasText("push the tag v2.0.0");
    row.click();
    assertThat(page.locator(".banner.ask")).isVisible();
    assertThat(row.locator(".doing")).hasText("push the tag v2.0.0");
  }

  /** Seen to fail when a failure stayed among the runs that need attention for a day. */
  @Test
  void the_alarm_of_a_failure_is_dismissed() {
    fixture
        .hub()
        .post(
            "/runs",
            Map.of(
                "run_id",
                "alarm",
                "agent",
                "rehearsal",
                "attempts",
                1,
                "prompt",
                "! exit-without-answer"));
    fixture.awaitState("alarm", "failed");
    Page page = fixture.at("/runs/alarm");
    Locator needing = page.locator("section[aria-label='Needs attention'] a[data-run=alarm]");
    assertThat(needing).isVisible();
    button(page, "Dismiss").click();
    assertThat(needing).hasCount(0);
    assertThat(page.locator("section[aria-label=Ended] a[data-run=alarm]")).isVisible();
    assertThat(button(page, "Dismiss")).hasCount(0);
    assertThat(page.locator(".banner")).containsText("the agent ended");
  }
}
