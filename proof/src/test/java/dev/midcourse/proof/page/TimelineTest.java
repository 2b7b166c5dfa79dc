package dev.midcourse.proof.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import java.time.Duration;
import java.time.Instant;
import java.util.regex.Pattern;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the timeline and the activity of a run say about times. The events are made up. */
@Tag("browser")
class TimelineTest {
  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
  private static final String AUTHOR = "'author':{'group':'main','origin':'cli'}";

  @RegisterExtension static final PageFixture fixture = new PageFixture();

  @BeforeAll
  static void end_a_run() {
    fixture.hub().run("told", "$ true");
    fixture.awaitState("told", "done");
  }

  private static Duration seconds(double number) {
    return Duration.ofMillis(Math.round(number * 1000));
  }

  private static MadeUpEvents started() {
    return new MadeUpEvents(NOON)
        .at(Duration.ofHours(-2), "denied", AUTHOR + ",'what':'dispatch','why':'worker is missing'")
        .at(seconds(0), "run_queued", AUTHOR + ",'prompt':'Go.'")
        .at(seconds(0.1), "run_picked", "'host':'here'")
        .at(seconds(0.2), "turn_started", "'turn':1");
  }

  private static Page open(MadeUpEvents events) {
    Page page = fixture.browsing().page(1360, 860, ColorScheme.LIGHT);
    events.serve(page, "told");
    page.navigate(fixture.hub().link("/runs/told"));
    page.locator("#tab-story").click();
    return page;
  }

  private static Locator row(Page page, String words) {
    return page.locator(".story-row", new Page.LocatorOptions().setHasText(words));
  }

  /** Seen to fail when the first event of any kind was the start of the axis. */
  @Test
  void the_axis_starts_with_the_run_and_not_with_a_refused_dispatch_before_it() {
    Page page =
        open(
            started()
                .at(seconds(5), "turn_ended", "'turn':1,'how':'completed','reason':''")
                .at(seconds(5), "run_ended", "'state':'done','result':'','processes_ended':0")
                .at(Duration.ofDays(1), "run_reviewed", AUTHOR + ",'verdict':'accept','note':''"));
    assertThat(page.locator(".timeline-place")).hasText(Pattern.compile("^0:00\\.0 – 0:05\\.\\d$"));
    assertThat(row(page, "Denied for").locator(".when")).hasText("-2:00:00");
    assertThat(row(page, "Started").locator(".when")).hasText("0:00.0");
  }

  /** Seen to fail when the time without a hub counted as time of the tool: 12.8 s. */
  @Test
  void a_tool_that_ended_while_the_hub_was_down_has_no_exact_time() {
    Page page =
        open(
            started()
                .at(seconds(2), "tool_started", "'call':'a','tool':'shell','summary':'sleep 3'")
                .at(seconds(14), "agent_found", "'pid':7,'host':'here'")
                .at(seconds(14.8), "tool_finished", "'call':'a','ok':true,'summary':''")
                .at(seconds(20), "tool_started", "'call':'b','tool':'shell','summary':'sleep 1'")
                .at(seconds(21), "tool_finished", "'call':'b','ok':true,'summary':''")
                .at(seconds(22), "run_ended", "'state':'done','result':'','processes_ended':0"));
    assertThat(row(page, "sleep 3").locator(".took")).hasText("≤ 12.8 s");
    assertThat(row(page, "sleep 1").locator(".took")).hasText("1.00 s");
    assertThat(page.locator(".timeline-canvas"))
        .hasAttribute("aria-label", Pattern.compile("1 hub outage"));
    assertThat(page.locator(".legend", new Page.LocatorOptions().setHasText("hub down")))
        .isVisible();
    fixture.browsing().picture(page, "timeline-outage");
  }

  /** Seen to fail when the time until the answer counted as time of the tool: 1 m 02 s. */
  @Test
  void a_tool_that_waits_for_approval_waits_and_does_not_run() {
    MadeUpEvents events =
        started()
            .at(seconds(20), "tool_started", "'call':'c','tool':'Bash','summary':'git push'")
            .at(
                seconds(20),
                "asked",
                "'ask':'q','ask_kind':'permission','question':'Bash: git push','detail':''");
    Page waiting = open(events);
    assertThat(row(waiting, "git push").first().locator(".took")).hasText("waiting");
    events
        .at(seconds(80), "ask_answered", "'ask':'q','answer':'allow','by':" + AUTHOR.substring(9))
        .at(seconds(82), "tool_finished", "'call':'c','ok':true,'summary':''")
        .at(seconds(83), "run_ended", "'state':'done','result':'','processes_ended':0");
    Page answered = open(events);
    assertThat(row(answered, "git push").first().locator(".took"))
        .hasText("2.00 s (waited 1 m 00 s)");
    fixture.browsing().picture(answered, "timeline-waiting");
  }

  /**
   * Seen to fail when the phase of the tool before, "using shell", went on while the agent waited.
   */
  @Test
  void the_phase_of_an_agent_that_waits_for_an_answer_is_waiting() {
    Page page = open(started());
    Object phases =
        page.evaluate(
            """
            async () => {
              const { Story } = await import("/js/story.js");
              const story = new Story("told");
              story.caughtUp();
              let cursor = 0;
              const fold = (second, kind, fields) => story.fold({
                cursor: ++cursor, at: `2026-03-01T12:00:0${second}.0Z`, attempt: 1, kind, ...fields });
              fold(1, "progressed", { phase: "using shell", summary: "" });
              fold(2, "asked", { ask: "a", ask_kind: "permission", question: "push", detail: "" });
              fold(3, "asked", { ask: "b", ask_kind: "permission", question: "tag", detail: "" });
              fold(5, "ask_answered", { ask: "a", answer: "allow", by: { group: "main", origin: "cli" } });
              fold(6, "ask_answered", { ask: "b", answer: "allow", by: { group: "main", origin: "cli" } });
              return story.progress.map((step) => step.phase + " " + (step.end ?? "")).join(", ")
                .replaceAll(String(Date.parse("2026-03-01T12:00:00Z")).slice(0, -4), "");
            }
            """);
    Assertions.assertThat(phases)
        .isEqualTo(
            "using shell 2000, waiting for approval 3000, waiting for approval 6000, using shell ");
  }

  /** Seen to fail when the page showed the name of the interface as it is in the log: (cli). */
  @Test
  void an_author_has_the_usual_name_of_the_interface() {
    Page page = open(started());
    assertThat(row(page, "Created by")).containsText("Created by main (CLI)");
  }
}
