package dev.midcourse.hub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.hub.RawClient.Reply;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A hub behind a TLS proxy, called as the proxy calls it. */
class PublicUrlTest {
  private static final String HEALTH = "/api/v1/health";
  private static final String ORIGIN = "https://hub.example.org";

  @TempDir Path data;
  private HubFixture fixture;

  @BeforeEach
  void open() throws Exception {
    Files.writeString(
        data.resolve("midcourse.toml"), "[hub]\npublic_url = \"https://Hub.Example.org:443/\"\n");
    fixture = HubFixture.asTheFileSays(data);
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private static void refused(Reply reply, String field) {
    assertThat(reply.status()).as(reply.body()).isEqualTo(403);
    assertThat(reply.text("field")).isEqualTo(field);
  }

  /** Seen to fail when the hub does not know its public URL. */
  @Test
  void the_page_and_the_api_are_reached_through_the_proxy_with_the_token() {
    String own = "127.0.0.1:" + fixture.hub().port();
    for (String host : List.of("hub.example.org", "HUB.example.org:443", own)) {
      RawClient browser =
          fixture
              .tcp()
              .with("Host", host)
              .with("Origin", ORIGIN)
              .with("Sec-Fetch-Site", "same-origin");
      assertThat(browser.get("/").status()).as(host).isEqualTo(200);
      assertThat(browser.get(HEALTH).status()).as(host).isEqualTo(200);
    }
    RawClient without = fixture.stranger().with("Host", "hub.example.org").with("Origin", ORIGIN);
    assertThat(without.get(HEALTH).status()).isEqualTo(401);
  }

  /** Seen to fail when a part of the name, or another origin with that name, is accepted. */
  @Test
  void one_origin_is_added_and_no_other() {
    RawClient browser = fixture.tcp().with("Host", "hub.example.org");
    for (String origin :
        List.of(
            "http://hub.example.org",
            "https://hub.example.org:8443",
            "https://example.org",
            "https://hub.example.org.evil.example",
            "null")) {
      refused(browser.with("Origin", origin).get(HEALTH), "origin");
    }
    refused(browser.with("Sec-Fetch-Site", "cross-site").get(HEALTH), "origin");
    for (String host :
        List.of("hub.example.org:80", "example.org", "evil.hub.example.org", "hub.example.org.")) {
      refused(fixture.tcp().with("Host", host).with("Origin", ORIGIN).get(HEALTH), "host");
    }
    refused(fixture.socket().with("Origin", ORIGIN).get(HEALTH), "origin");
  }
}
