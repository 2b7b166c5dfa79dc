package dev.midcourse.autopilot.forge.github;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.midcourse.autopilot.forge.ForgeException;
import dev.midcourse.autopilot.forge.fixture.FakeHost;
import dev.midcourse.autopilot.forge.fixture.FakeHost.Reply;
import dev.midcourse.autopilot.forge.http.HookSignature;
import dev.midcourse.core.loop.forge.ForgeAct;
import dev.midcourse.core.loop.forge.ForgeActResult;
import dev.midcourse.core.loop.forge.ForgeError;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tokens of people and Apps, limits, and webhooks. */
final class GitHubAccessTest {
  private static final String SECRET = "the secret of the webhook";

  @TempDir Path folder;
  private GitHubFixture fixture;
  private FakeGitHub github;

  @BeforeEach
  void open() throws Exception {
    fixture = new GitHubFixture(folder);
    github = fixture.github;
  }

  @AfterEach
  void close() throws Exception {
    fixture.close();
  }

  private ForgeError error(GitHubForge forge) {
    return catchThrowableOfType(ForgeException.class, () -> forge.snapshot(fixture.change)).error();
  }

  @Test
  void a_token_that_may_push_signs_in() throws Exception {
    assertThat(fixture.forge.signIn()).isEqualTo("ann");
    assertThat(
            catchThrowableOfType(
                    ForgeException.class, () -> fixture.open(FakeGitHub.READ_TOKEN).signIn())
                .error())
        .isEqualTo(new ForgeError.Forbidden("the token of bob may not push to shop-owner/shop"));
  }

  /** Seen to fail when check runs are first read when CI is waited for. */
  @Test
  void a_token_that_may_not_read_check_runs_does_not_sign_in() {
    github.checksForbidden = true;

    assertThat(catchThrowableOfType(ForgeException.class, fixture.forge::signIn).error())
        .isInstanceOfSatisfying(
            ForgeError.Forbidden.class,
            error ->
                assertThat(error.message())
                    .contains("no fine-grained token")
                    .contains("use an App, gh, or a classic token"));
  }

  /** Seen to fail when a rejected token is no error of its own. */
  @Test
  void t701_a_token_that_expires_in_a_wait_is_told() throws Exception {
    fixture.snapshot();
    github.logins.remove(FakeGitHub.TOKEN);

    assertThat(error(fixture.forge)).isInstanceOf(ForgeError.Unauthorized.class);
    assertThat(fixture.perform(new ForgeAct.Close(fixture.change)))
        .isInstanceOfSatisfying(
            ForgeActResult.Refused.class,
            refused -> {
              assertThat(refused.error()).isInstanceOf(ForgeError.Unauthorized.class);
              assertThat(refused.error().message()).doesNotContain(FakeGitHub.TOKEN);
            });

    github.logins.put(FakeGitHub.TOKEN, "ann");
    assertThat(fixture.snapshot().incomplete()).isEmpty();
  }

  /** Seen to fail when requests are sent in spite of a limit. */
  @Test
  void t702_a_limit_ends_the_reading_until_its_time() throws Exception {
    github
        .host()
        .fail(
            1,
            request -> request.path().endsWith("/reviews"),
            FakeGitHub.error(403, "You have exceeded a secondary rate limit."));

    assertThat(error(fixture.forge)).isInstanceOf(ForgeError.Limited.class);
    int sent = github.host().requests().size();
    assertThat(error(fixture.forge)).isInstanceOf(ForgeError.Limited.class);
    assertThat(github.host().requests()).hasSize(sent);

    fixture.clock.advance(Duration.ofMinutes(2));
    assertThat(fixture.snapshot().incomplete()).isEmpty();
  }

  /**
   * Seen to fail when only the status tells that there is a limit, and when a limit in the middle
   * of a snapshot only makes it incomplete: the rest can be read.
   */
  @Test
  void a_limit_that_graphql_tells_with_status_200_holds() throws Exception {
    github
        .host()
        .fail(
            1,
            FakeHost.is("POST", "/graphql"),
            Reply.of(200, "{\"errors\":[{\"type\":\"RATE_LIMITED\",\"message\":\"API limit\"}]}")
                .with("X-RateLimit-Remaining", "0")
                .with(
                    "X-RateLimit-Reset",
                    Long.toString(Instant.now().plusSeconds(600).getEpochSecond())));

    assertThat(error(fixture.forge)).isInstanceOf(ForgeError.Limited.class);
    int sent = github.host().requests("POST").size();
    assertThat(error(fixture.forge)).isInstanceOf(ForgeError.Limited.class);
    assertThat(github.host().requests("POST")).hasSize(sent);
  }

  private static KeyPair keys() throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(2_048);
    return generator.generateKeyPair();
  }

  private static String pem(String name, byte[] der) {
    return "-----BEGIN %s-----\n%s\n-----END %s-----\n"
        .formatted(name, Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der), name);
  }

  private GitHubAppCredential app(String pem) {
    return new GitHubAppCredential(
        github.api(), FakeGitHub.APP, pem, FakeGitHub.PROJECT, fixture.clock);
  }

  /** Seen to fail when the token is not renewed before its end, and when it is always renewed. */
  @Test
  void t704_an_app_renews_its_token_before_the_hour_is_over() throws Exception {
    KeyPair keys = keys();
    github.appKey = Optional.of(keys.getPublic());
    byte[] pkcs8 = keys.getPrivate().getEncoded();
    // GitHub gives the inner key of PKCS#8: what follows its header of 26 bytes.
    String pkcs1 = pem("RSA PRIVATE KEY", Arrays.copyOfRange(pkcs8, 26, pkcs8.length));

    try (GitHubAppCredential credential = app(pkcs1);
        GitHubAppCredential other = app(pem("PRIVATE KEY", pkcs8))) {
      GitHubForge forge = fixture.open(credential);
      assertThat(forge.signIn()).isEqualTo("midcourse-test[bot]");
      String first = credential.get().token();
      assertThat(credential.get().token()).isEqualTo(first);
      assertThat(other.get().token()).isNotEqualTo(first);

      github.logins.remove(first);
      assertThat(forge.snapshot(fixture.change).incomplete()).isEmpty();
      String second = credential.get().token();
      assertThat(second).isNotEqualTo(first);

      // Until then the second token is valid; a token of the App is signed with the same clock.
      fixture.clock.advance(Duration.ofMinutes(50));
      assertThat(credential.get().token()).isEqualTo(second);
      github.appClock = fixture.clock;
      fixture.clock.advance(Duration.ofMinutes(6));
      assertThat(credential.get().token()).isNotEqualTo(second);
    }
  }

  @Test
  void an_app_without_the_needed_permissions_is_told_which() throws Exception {
    KeyPair keys = keys();
    github.appKey = Optional.of(keys.getPublic());
    github.appPermissions = Map.of("contents", "read");
    try (GitHubAppCredential credential = app(pem("PRIVATE KEY", keys.getPrivate().getEncoded()))) {
      assertThat(catchThrowableOfType(ForgeException.class, credential::get).error().message())
          .isEqualTo(
              "the App Iv1.app lacks the permissions pull_requests: write, contents: write,"
                  + " checks: read, statuses: read");
    }
    assertThat(catchThrowableOfType(IllegalArgumentException.class, () -> app("no key")))
        .hasMessageNotContaining("no key,");
  }

  /** Seen to fail when the command runs at each request. */
  @Test
  void the_token_of_gh_is_asked_for_once_and_again_when_it_is_not_accepted() throws Exception {
    Path gh = folder.resolve("gh");
    Path count = folder.resolve("count");
    Files.writeString(
        gh,
        """
        #!/bin/sh
        [ "$*" = "auth token --hostname forge.test" ] || exit 1
        echo x >> "$COUNT"
        cat "$TOKEN"
        """);
    Files.setPosixFilePermissions(gh, PosixFilePermissions.fromString("rwxr-xr-x"));
    Path token = Files.writeString(folder.resolve("token"), "expired\n");
    Map<String, String> environment =
        Map.of(
            "PATH",
            folder + ":" + System.getenv("PATH"),
            "COUNT",
            count.toString(),
            "TOKEN",
            token.toString());
    GhTokenCredential credential = new GhTokenCredential("forge.test", environment);
    GitHubForge forge = fixture.open(credential);
    assertThat(count).doesNotExist();

    assertThat(error(forge)).isInstanceOf(ForgeError.Unauthorized.class);
    Files.writeString(token, FakeGitHub.TOKEN + "\n");
    assertThat(forge.snapshot(fixture.change).incomplete()).isEmpty();
    int asked = Files.readAllLines(count).size();
    forge.snapshot(fixture.change);
    assertThat(Files.readAllLines(count)).hasSize(asked);

    assertThat(
            catchThrowableOfType(
                    ForgeException.class,
                    () -> new GhTokenCredential("other.test", environment).get())
                .error()
                .message())
        .isEqualTo("gh has no token for other.test; run: gh auth login --hostname other.test");
  }

  private static Map<String, String> headers(byte[] body) {
    return new HashMap<>(
        Map.of(
            "x-github-event",
            "check_run",
            "x-github-delivery",
            "72d3162e-cc78-11e3-81ab-4c9367dc0958",
            "x-hub-signature-256",
            "sha256=" + HookSignature.hmac(SECRET, body)));
  }

  /** Seen to fail when the signature is not compared. */
  @Test
  void t705_a_webhook_is_believed_only_with_its_signature() {
    byte[] body =
        """
        {"action":"completed","check_run":{"head_sha":"abc","pull_requests":[{"number":7}]},
        "repository":{"full_name":"shop-owner/shop"}}\
        """
            .getBytes(UTF_8);
    Map<String, String> headers = headers(body);

    assertThat(GitHubHook.verify(SECRET, headers, body))
        .hasValueSatisfying(hook -> {
          assertThat(hook.delivery()).isEqualTo("72d3162e-cc78-11e3-81ab-4c9367dc0958");
          assertThat(hook.event()).isEqualTo("check_run");
          assertThat(hook.project()).isEqualTo("shop-owner/shop");
          assertThat(hook.changes()).containsExactly("7");
          assertThat(hook.heads()).containsExactly("abc");
        });
    assertThat(GitHubHook.verify("another secret", headers, body)).isEmpty();
    assertThat(GitHubHook.verify("", headers, body)).isEmpty();
    assertThat(GitHubHook.verify(SECRET, headers, (new String(body, UTF_8) + " ").getBytes(UTF_8)))
        .isEmpty();
    headers.remove("x-hub-signature-256");
    assertThat(GitHubHook.verify(SECRET, headers, body)).isEmpty();
    byte[] noJson = "payload=%7B%7D".getBytes(UTF_8);
    assertThat(GitHubHook.verify(SECRET, headers(noJson), noJson)).isEmpty();
  }
}
