package dev.midcourse.proof.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static dev.midcourse.proof.page.PageFixture.button;

import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import java.nio.file.Path;
import java.util.Map;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Sign-in, sign-out and sessions of the page. */
@Tag("browser")
class SignInTest {
  /** Takes from the page its request of every 30 s, so that only the stream tells it anything. */
  private static final String NO_REGULAR_REQUESTS =
      """
      const repeat = window.setInterval;
      window.setInterval = (work, millis) => millis < 30_000 ? repeat(work, millis) : 0;
      """;

  @RegisterExtension static final PageFixture fixture = new PageFixture();

  private static JsonNode sessions() {
    return fixture.hub().get("/sessions").path("sessions");
  }

  /** Seen to fail when redeeming a code does not end it. */
  @Test
  void a_link_signs_in_once_and_the_gate_says_what_to_do_with_a_used_one() {
    String link = fixture.hub().link("/");
    Page page = fixture.browsing().newPage();
    page.navigate(link);
    assertThat(page.locator("#app")).isVisible();
    Assertions.assertThat(page.url()).doesNotContain("code");
    Page late = fixture.browsing().newPage();
    late.navigate(link);
    assertThat(late.locator("#gate-wrong")).containsText("was already used or is older than");
    assertThat(late.locator("#gate-wrong")).containsText("run midcourse status for a new link");
    fixture.browsing().picture(late, "gate");
    late.locator("#gate-code").fill(fixture.hub().link("/"));
    late.locator("#gate-form button").click();
    assertThat(late.locator("#app")).isVisible();
    late.reload();
    assertThat(late.locator("#app")).isVisible();
  }

  /** Seen to fail when a signed-in page leaves the code of a further link valid. */
  @Test
  void a_browser_that_is_signed_in_ends_the_code_of_a_further_link_and_keeps_its_session() {
    Page page = fixture.at("/");
    assertThat(page.locator("#connection")).hasText("Connected");
    int before = sessions().size();
    String link = fixture.hub().link("/");
    Page second = fixture.browsing().tab(page.context());
    second.navigate(link);
    assertThat(second.locator("#connection")).hasText("Connected");
    Assertions.assertThat(sessions()).hasSize(before);
    String code = link.replaceFirst(".*#code=", "");
    Assertions.assertThat(
            fixture.hub().post("/sign-in-codes/discard", Map.of("code", code)).toString())
        .isEqualTo("{\"discarded\":false}");
  }

  /** Seen to fail when an event stream goes on without the session of its page. */
  @Test
  void a_revoked_session_is_disconnected_at_once_and_gets_the_reason() {
    fixture.hub().delete("/sessions");
    Page page = fixture.browsing().newPage();
    page.addInitScript(NO_REGULAR_REQUESTS);
    page.navigate(fixture.hub().link("/"));
    assertThat(page.locator("#connection")).hasText("Connected");
    assertThat(page.locator("#main select[name=agent]")).isVisible();
    Assertions.assertThat(sessions()).hasSize(1);
    fixture.hub().delete("/sessions/" + sessions().path(0).path("session_id").asString(""));
    assertThat(page.locator("#gate-wrong")).containsText("This browser is no longer signed in");
    assertThat(page.locator("#gate-wrong")).containsText("Run midcourse status");
    page.reload();
    assertThat(page.locator("#gate")).isVisible();
  }

  @Test
  void the_page_lists_the_sessions_revokes_another_one_and_signs_out() {
    fixture.hub().delete("/sessions");
    Page other = fixture.at("/");
    assertThat(other.locator("#connection")).hasText("Connected");
    Page page = fixture.browsing().page(1024, 768, ColorScheme.LIGHT);
    page.navigate(fixture.hub().link("/"));
    button(page, "Signed-in browsers").click();
    assertThat(page.locator(".session-row")).hasCount(2);
    assertThat(page.locator(".session-row").first()).containsText("Chromium on Linux");
    fixture.browsing().picture(page, "sessions");
    page.locator(".session-row", new Page.LocatorOptions().setHasNotText("this browser"))
        .getByText("Sign out")
        .click();
    assertThat(page.locator(".session-row")).hasCount(1);
    assertThat(other.locator("#gate-wrong")).containsText("This browser is no longer signed in");
    button(page, "Sign out").click();
    assertThat(page.locator("#gate")).isVisible();
    Assertions.assertThat(sessions()).isEmpty();
  }

  /** Seen to fail when the session of a tab is stored like one that stays. */
  @Test
  void a_browser_stays_signed_in_after_it_was_closed_only_by_choice(@TempDir Path profile) {
    try (BrowserContext browser = fixture.browsing().withProfile(profile)) {
      Page page = fixture.browsing().tab(browser);
      page.navigate(fixture.hub().link("/"));
      assertThat(page.locator("#connection")).hasText("Connected");
    }
    try (BrowserContext browser = fixture.browsing().withProfile(profile)) {
      Page page = fixture.browsing().tab(browser);
      page.navigate(fixture.hub().url("/"));
      assertThat(page.locator("#gate")).isVisible();
      page.locator("#gate-stay").check();
      page.locator("#gate-code").fill(fixture.hub().link("/"));
      page.locator("#gate-form button").click();
      assertThat(page.locator("#connection")).hasText("Connected");
    }
    try (BrowserContext browser = fixture.browsing().withProfile(profile)) {
      Page page = fixture.browsing().tab(browser);
      page.navigate(fixture.hub().url("/"));
      assertThat(page.locator("#connection")).hasText("Connected");
    }
  }

  @Test
  void a_session_is_made_to_stay_afterwards() {
    fixture.hub().delete("/sessions");
    Page page = fixture.at("/");
    button(page, "Signed-in browsers").click();
    page.locator("dialog").getByLabel("Stay signed in on this device").check();
    button(page, "Save").click();
    assertThat(page.locator("dialog")).hasCount(0);
    Assertions.assertThat(sessions().path(0).path("stay").asBoolean(false)).isTrue();
  }
}
