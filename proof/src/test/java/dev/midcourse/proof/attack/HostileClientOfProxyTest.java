package dev.midcourse.proof.attack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.midcourse.ledger.json.JsonCodec;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A hub behind nginx, as {@code public_url} is meant. A client without the token sends requests
 * whose body is the beginning of another request, so that the next request on nginx's connection to
 * the hub, that of a client with the token, would complete it.
 */
@Tag("setup")
class HostileClientOfProxyTest {
  private static final String SMUGGLED = "POST /api/v1/runs/victim/stop HTTP/1.1\r\nX-Swallow: ";
  private static final List<String> REFUSED =
      List.of(
          "POST /api/v1/runs HTTP/1.1",
          "GET /api/v1/runs HTTP/1.1",
          "POST /mcp HTTP/1.1",
          "POST /api/v1/nothing HTTP/1.1",
          "POST / HTTP/1.1",
          "GET /nothing HTTP/1.1",
          "GET / HTTP/1.1");

  private Path folder = Path.of("");
  private AttackedHub hub;

  @BeforeEach
  void start() throws Exception {
    assumeTrue(ReverseProxy.isInstalled(), "nginx is missing");
    folder = AttackedHub.createFolder();
    hub = AttackedHub.start(folder, "[hub]\npublic_url = \"https://hub.example.org\"");
    hub.client()
        .postText(
            "/runs",
            JsonCodec.write(
                Map.of(
                    "run_id",
                    "victim",
                    "prompt",
                    "sleep 600",
                    "agent",
                    "hostile",
                    "dir",
                    hub.workspace().toString())));
    await("the run")
        .atMost(Duration.ofMinutes(2))
        .until(() -> hub.client().get("/runs/victim").text("state").orElse("").equals("running"));
  }

  @AfterEach
  void end() throws Exception {
    if (hub != null) {
      hub.client().postText("/runs/victim/stop", "{\"wait\":true}");
      hub.close();
    }
  }

  /**
   * Seen to fail, where nginx passes Expect on, when the hub does not close the connection of a
   * request whose body it has not read: the run was stopped with the token of the other client.
   */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "proxy_set_header Expect $http_expect;",
        "proxy_request_buffering off;",
        "proxy_set_header Expect $http_expect; proxy_request_buffering off;"
      })
  void no_request_of_one_client_is_executed_with_the_token_of_another(String passesOn)
      throws Exception {
    String token = Files.readString(hub.data().resolve("token")).strip();
    String url = hub.client().get("/health").text("url").orElseThrow();
    Path own = Files.createDirectory(folder.resolve("nginx"));
    try (ReverseProxy proxy = ReverseProxy.start(own, URI.create(url).getPort(), passesOn)) {
      for (String refused : REFUSED) {
        for (List<String> attack : attacks(refused)) {
          String body = attack.toString().contains("chunked") ? chunk(SMUGGLED) : SMUGGLED;
          assertThat(proxy.send(attack, body)).as(attack.toString()).startsWith("HTTP/1.1 ");
          assertThat(health(proxy, token)).as("after %s", attack).contains("HTTP/1.1 200 OK");
        }
      }
      assertThat(hub.client().get("/runs/victim").text("state")).contains("running");
    }
  }

  private static List<List<String>> attacks(String first) {
    return Stream.of(
            List.of("Content-Length: " + SMUGGLED.length()),
            List.of("Content-Length: " + SMUGGLED.length(), "Expect: 100-continue"),
            List.of("Transfer-Encoding: chunked", "Expect: 100-continue"))
        .map(headers ->
            Stream.concat(Stream.of(first, "Host: hub.example.org"), headers.stream()).toList())
        .toList();
  }

  private static String chunk(String text) {
    return Integer.toHexString(text.length()) + "\r\n" + text + "\r\n0\r\n\r\n";
  }

  private static String health(ReverseProxy proxy, String token) throws Exception {
    return proxy.send(
        List.of(
            "GET /api/v1/health HTTP/1.1",
            "Host: hub.example.org",
            "Authorization: Bearer " + token),
        "");
  }
}
