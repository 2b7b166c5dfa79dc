package dev.midcourse.proof.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static dev.midcourse.proof.page.Accessibility.assertNoViolations;
import static dev.midcourse.proof.page.PageFixture.button;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import java.nio.file.Files;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.assertj.core.api.Assertions;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The chats on the page: what waits for a decision, wirings, messages and why each had its effect.
 */
@Tag("browser")
class ChatsOnThePageTest {
  @RegisterExtension
  static final PageFixture fixture =
      new PageFixture(its -> {
        Files.writeString(
            its.data().resolve("midcourse.toml"),
            PageFixture.SETTINGS
                + """
                [workers.andy]
                agent = "rehearsal"
                [workers."made-*"]
                agent = "rehearsal"
                [chat]
                new_workers = "made-*"
                """);
        StoredChats.in(its.data());
      });

  private static Page at(String path, int width, int height, ColorScheme colours) {
    Page page = fixture.browsing().page(width, height, colours);
    page.navigate(fixture.hub().link(path));
    assertThat(page.locator("#connection")).containsText("Connected");
    return page;
  }

  @ParameterizedTest
  @CsvSource({
    "1360, 860, LIGHT",
    "1024, 768, LIGHT",
    "390, 844, LIGHT",
    "1360, 860, DARK",
    "390, 844, DARK"
  })
  void chats_are_listed_and_open_with_messages_gates_and_receipts(
      int width, int height, ColorScheme colours) {
    Page page = at("/", width, height, colours);
    page.locator("#chats").click();
    assertThat(page.locator(".chat-row[data-chat=family]")).containsText("Wired to andy");
    assertThat(page.locator(".chat-row[data-chat=direct]")).containsText("Not wired to a worker");
    assertNoViolations(page, "the chats");
    fixture.browsing().picture(page, "chats-" + width + colours);
    page.locator(".chat-row[data-chat=family]").click();
    assertThat(page).hasURL(fixture.hub().url("/chats/family"));
    assertThat(page.locator(".wirings")).containsText("andy: mentions");
    Locator steered = page.locator(".message[data-message='2']");
    assertThat(steered).containsText("use tabs <b>please</b>");
    assertThat(steered).containsText("Steered run from-chat");
    steered.locator("summary").click();
    assertThat(steered.locator(".gates li[data-passed=yes]")).containsText("it mentions the bot");
    assertThat(steered.locator(".rung[data-rung=offered]")).hasAttribute("data-claimed", "yes");
    assertThat(steered.locator(".rung[data-rung=injected]")).hasAttribute("data-claimed", "no");
    assertThat(steered).containsText("Receipt: unknown");
    assertThat(page.locator(".message.ours[data-outbound=o1]")).containsText("the bot was removed");
    assertThat(page.locator(".message.ours[data-outbound=o2]")).containsText("Sent");
    assertNoViolations(page, "a chat with a message opened");
    fixture.browsing().picture(page, "chat-" + width + colours);
    Assertions.assertThat(
            page.evaluate(
                "() => document.documentElement.scrollWidth <= document.documentElement.clientWidth"))
        .isEqualTo(true);
    steered.getByRole(AriaRole.LINK).first().click();
    assertThat(page).hasURL(fixture.hub().url("/runs/from-chat"));
    page.goBack();
    assertThat(page.locator(".message[data-message='1']")).isVisible();
  }

  @Test
  void approvals_are_decided_with_buttons_and_a_new_worker_is_asked_for_its_name() {
    Page page = at("/chats", 1360, 860, ColorScheme.LIGHT);
    List<String> sent = new CopyOnWriteArrayList<>();
    page.route(
        "**/api/v1/approvals/*",
        route -> {
          sent.add(route.request().url().replaceAll(".*/", "") + " " + route.request().postData());
          route.fulfill(
              new Route.FulfillOptions()
                  .setContentType("application/json")
                  .setBody("{\"approval_id\":\"p\",\"counted\":true,\"words\":\"It is decided\"}"));
        });
    Locator sender = page.locator("[data-approval=p1]");
    assertThat(sender).containsText("Grace wants to talk in The family at home");
    assertThat(sender).containsText("telegram:99");
    sender.getByRole(AriaRole.BUTTON).first().click();
    assertThat(page.locator(".toast")).hasText("It is decided");
    sender.getByText("Deny").click();
    Locator chat = page.locator("[data-approval=p2]");
    chat.getByText("andy").click();
    chat.getByText("Create new").click();
    page.getByRole(AriaRole.DIALOG).getByLabel("Name").fill("grace-bot");
    button(page, "Create").click();
    assertThat(page.getByRole(AriaRole.DIALOG)).hasCount(0);
    chat.getByText("Ignore").click();
    Awaitility.await()
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(() ->
            Assertions.assertThat(sent)
                .containsExactly(
                    "p1 {\"decision\":\"allow\"}",
                    "p1 {\"decision\":\"deny\"}",
                    "p2 {\"decision\":\"wire\",\"worker\":\"andy\"}",
                    "p2 {\"decision\":\"create\",\"worker\":\"grace-bot\"}",
                    "p2 {\"decision\":\"deny\"}"));
  }

  @Test
  void the_key_c_opens_the_chats_and_every_control_is_reached_by_tab() {
    Page page = at("/", 1360, 860, ColorScheme.LIGHT);
    page.keyboard().press("c");
    assertThat(page.locator("[data-approval=p1]")).isVisible();
    Set<String> stops = new HashSet<>();
    for (int i = 0; i < 40; i++) {
      page.keyboard().press("Tab");
      stops.add((String) page.evaluate("() => document.activeElement.textContent.trim()"));
    }
    Assertions.assertThat(stops)
        .contains("Allow", "Deny", "andy", "Create new", "Ignore", "Send again", "Dismiss");
  }
}
