package dev.midcourse.autopilot.forge.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.midcourse.autopilot.forge.ForgeCredential;
import dev.midcourse.autopilot.forge.ForgeException;
import dev.midcourse.autopilot.forge.fixture.FakeHost;
import dev.midcourse.autopilot.forge.fixture.FakeHost.Reply;
import dev.midcourse.autopilot.forge.fixture.MovedClock;
import dev.midcourse.core.json.JsonValue;
import dev.midcourse.core.loop.forge.ForgeError;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Requests to a forge, made to hosts of this machine. */
final class ForgeClientTest {
  private static final String TOKEN = "secret-token-of-a-test";

  private final MovedClock clock = new MovedClock();
  private final List<Duration> pauses = new CopyOnWriteArrayList<>();
  private final List<AutoCloseable> opened = new ArrayList<>();

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable one : opened.reversed()) {
      one.close();
    }
  }

  private FakeHost host(FakeHost.Handler handler) throws IOException {
    FakeHost host = new FakeHost(handler);
    opened.add(host);
    return host;
  }

  private static ForgeClientSettings settings(URI api) {
    return ForgeClientSettings.of(api, ForgeAuthorization.BEARER)
        .withWriteInterval(Duration.ZERO)
        .withTimeout(Duration.ofSeconds(60));
  }

  private ForgeClient client(FakeHost host) {
    return client(settings(host.address()), () -> new ForgeCredential.Secret("", TOKEN));
  }

  private ForgeClient client(ForgeClientSettings settings, ForgeCredential credential) {
    ForgeHost host = new ForgeHost(settings.writeInterval(), clock, pauses::add);
    ForgeClient client = new ForgeClient(settings, credential, host);
    opened.add(client);
    return client;
  }

  private static ForgeException failure(ForgeClient client, ForgeRequest request) {
    return catchThrowableOfType(ForgeException.class, () -> client.call(request));
  }

  private static Instant until(ForgeException failed) {
    assertThat(failed.error()).isInstanceOf(ForgeError.Limited.class);
    return ((ForgeError.Limited) failed.error()).until();
  }

  /** Seen to fail when the cached answer is not used for 304. */
  @Test
  void an_unchanged_answer_comes_from_the_cache() throws Exception {
    FakeHost host =
        host(request ->
            request.header("if-none-match").equals("\"one\"")
                ? Reply.of(304, "")
                : Reply.of(200, "{\"a\":1}").with("ETag", "\"one\""));
    ForgeClient client = client(host);

    ForgeResponse first = client.call(ForgeRequest.get("/a"));
    ForgeResponse second = client.call(ForgeRequest.get("/a"));

    assertThat(first.unchanged()).isFalse();
    assertThat(second.unchanged()).isTrue();
    assertThat(second.status()).isEqualTo(200);
    assertThat(second.object().number("a")).contains(1L);
    assertThat(host.requests().getFirst().header("authorization")).isEqualTo("Bearer " + TOKEN);
  }

  /** Seen to fail when requests are sent in spite of a limit, and when all clients share limits. */
  @Test
  void t706_a_limit_of_one_host_holds_until_its_time_and_starves_no_other_host() throws Exception {
    AtomicInteger left = new AtomicInteger(1);
    FakeHost host =
        host(request ->
            left.getAndDecrement() > 0
                ? Reply.of(403, "{\"message\":\"slow down\"}").with("Retry-After", "120")
                : Reply.of(200, "{}"));
    FakeHost other = host(request -> Reply.of(200, "{}"));
    ForgeClient limited = client(host);
    ForgeClient free = client(other);

    Instant before = clock.instant();
    assertThat(until(failure(limited, ForgeRequest.get("/a"))))
        .isAfterOrEqualTo(before.plusSeconds(120));
    until(failure(limited, ForgeRequest.get("/b")));
    until(failure(limited, ForgeRequest.get("/c").withLimit("graphql")));
    assertThat(host.requests()).hasSize(1);
    assertThat(free.call(ForgeRequest.get("/a")).status()).isEqualTo(200);

    clock.advance(Duration.ofMinutes(30));
    assertThat(limited.call(ForgeRequest.get("/a")).status()).isEqualTo(200);
  }

  /** Seen to fail when each client has limits of its own. */
  @Test
  void clients_of_one_host_share_its_limits() throws Exception {
    FakeHost host = host(request -> Reply.of(429, "{}").with("Retry-After", "120"));
    ForgeHost shared = new ForgeHost(Duration.ZERO, clock);
    List<ForgeClient> clients = new ArrayList<>();
    for (String token : List.of("one", "two")) {
      clients.add(
          new ForgeClient(
              settings(host.address()), () -> new ForgeCredential.Secret("", token), shared));
    }
    opened.addAll(clients);

    for (ForgeClient client : clients) {
      until(failure(client, ForgeRequest.get("/a")));
    }
    assertThat(host.requests()).hasSize(1);
  }

  /** Seen to fail when the wait does not grow, and when a success does not reset it. */
  @Test
  void a_limit_without_a_time_holds_a_minute_and_then_longer() throws Exception {
    List<Integer> statuses = new CopyOnWriteArrayList<>(List.of(429, 429, 200, 429));
    FakeHost host = host(request -> Reply.of(statuses.removeFirst(), "{}"));
    ForgeClient client = client(host);
    List<Long> minutes = new ArrayList<>();

    for (int i = 0; i < 4; i++) {
      Instant before = clock.instant();
      try {
        client.call(ForgeRequest.get("/a"));
      } catch (ForgeException e) {
        minutes.add(Duration.between(before, until(e)).toMinutes());
      }
      clock.advance(Duration.ofMinutes(30));
    }

    assertThat(minutes).containsExactly(1L, 2L, 1L);
  }

  /** Seen to fail when an exhausted quota is only noticed at the refusal. */
  @Test
  void an_exhausted_quota_holds_back_only_the_requests_that_count_for_it() throws Exception {
    FakeHost host =
        host(request ->
            Reply.of(200, "{}")
                .with("X-RateLimit-Remaining", request.path().equals("/rest") ? "0" : "7")
                .with(
                    "X-RateLimit-Reset",
                    Long.toString(Instant.now().plusSeconds(600).getEpochSecond())));
    ForgeClient client = client(host);

    client.call(ForgeRequest.get("/rest"));
    Instant now = clock.instant();
    assertThat(until(failure(client, ForgeRequest.get("/rest"))))
        .isBetween(now.plusSeconds(500), now.plusSeconds(700));
    assertThat(client.call(ForgeRequest.get("/other").withLimit("graphql")).status())
        .isEqualTo(200);
  }

  @Test
  void a_forbidden_request_is_no_limit() throws Exception {
    FakeHost host = host(request -> Reply.of(403, "{\"message\":\"not for you\"}"));

    ForgeException failed = failure(client(host), ForgeRequest.get("/a"));

    assertThat(failed.error()).isInstanceOf(ForgeError.Forbidden.class);
    assertThat(failed.error().message()).isEqualTo("GET /a: 403 not for you");
  }

  /** Seen to fail when the interval is left out, and when reads wait for it. */
  @Test
  void writes_keep_an_interval_and_reads_do_not() throws Exception {
    FakeHost host = host(request -> Reply.of(200, "{}"));
    ForgeClient client =
        client(
            settings(host.address()).withWriteInterval(Duration.ofHours(1)),
            () -> new ForgeCredential.Secret("", TOKEN));

    client.call(ForgeRequest.write("POST", "/a", JsonValue.object()));
    client.call(ForgeRequest.get("/a"));
    assertThat(pauses).isEmpty();
    client.call(ForgeRequest.write("POST", "/a", JsonValue.object()));

    assertThat(pauses).singleElement().satisfies(pause -> assertThat(pause).isPositive());
  }

  /** Seen to fail when the throttle has no lock. */
  @Test
  void writes_go_one_after_the_other() throws Exception {
    AtomicInteger now = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    FakeHost host =
        host(request -> {
          most.accumulateAndGet(now.incrementAndGet(), Math::max);
          Thread.sleep(20);
          now.decrementAndGet();
          return Reply.of(200, "{}");
        });
    ForgeClient client = client(host);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<ForgeResponse>> writes = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        writes.add(
            threads.submit(() -> client.call(ForgeRequest.write("PUT", "/a", JsonValue.object()))));
      }
      for (Future<ForgeResponse> write : writes) {
        assertThat(write.get().status()).isEqualTo(200);
      }
    }
    assertThat(most).hasValue(1);
  }

  /** Seen to fail when the size of an answer is not limited. */
  @Test
  void t708_an_answer_of_more_than_ten_megabytes_is_an_outage() throws Exception {
    FakeHost host = host(request -> new Reply(200, new byte[10 * 1024 * 1024 + 1], Map.of()));

    ForgeException failed = failure(client(host), ForgeRequest.get("/a"));

    assertThat(failed.error()).isInstanceOf(ForgeError.Outage.class);
  }

  private static FakeHost.Handler threePages(AtomicInteger brokenPage) {
    return request -> {
      int page = request.query().isEmpty() ? 1 : Integer.parseInt(request.query().substring(5));
      if (page == brokenPage.get()) {
        return Reply.of(502, "<html>");
      }
      Reply reply = Reply.of(200, "[{\"page\":" + page + "}]");
      String link =
          "<http://%s/a?page=1>; rel=\"first\", <http://%s/a?page=%d>; rel=\"next\""
              .formatted(request.header("host"), request.header("host"), page + 1);
      return page < 3 ? reply.with("Link", link) : reply;
    };
  }

  /** Seen to fail when only the first page is read. */
  @Test
  void a_list_is_read_to_its_last_page() throws Exception {
    FakeHost host = host(threePages(new AtomicInteger()));

    ForgePages pages = client(host).pages("/a");

    assertThat(pages.items().stream().map(item -> item.number("page").orElseThrow()))
        .containsExactly(1L, 2L, 3L);
    assertThat(pages.incomplete()).isEmpty();
  }

  /** Seen to fail when a broken page ends the list as if it were the last. */
  @Test
  void a_list_with_a_page_that_fails_or_with_too_many_pages_is_incomplete() throws Exception {
    AtomicInteger broken = new AtomicInteger(2);
    FakeHost host = host(threePages(broken));

    ForgePages pages = client(host).pages("/a");
    assertThat(pages.items()).hasSize(1);
    assertThat(pages.incomplete()).hasValueSatisfying(why -> assertThat(why).contains("502"));

    broken.set(1);
    assertThat(catchThrowableOfType(ForgeException.class, () -> client(host).pages("/a")).error())
        .isInstanceOf(ForgeError.Outage.class);

    broken.set(0);
    ForgeClient bounded =
        client(
            settings(host.address()).withMaxPages(2), () -> new ForgeCredential.Secret("", TOKEN));
    assertThat(bounded.pages("/a").incomplete()).contains("GET /a: more than 2 pages");
  }

  /** Seen to fail when the next page is read wherever it is. */
  @Test
  void a_next_page_at_another_host_is_not_read() throws Exception {
    FakeHost other = host(request -> Reply.of(200, "[]"));
    FakeHost host =
        host(request ->
            Reply.of(200, "[]").with("Link", "<" + other.address() + "/a>; rel=\"next\""));

    assertThat(client(host).pages("/a").incomplete()).isPresent();
    assertThat(other.requests()).isEmpty();
  }

  /** Seen to fail when all headers are sent again after a redirect. */
  @Test
  void t707_another_host_gets_no_token_after_a_redirect() throws Exception {
    FakeHost other = host(request -> Reply.of(200, "line one\nline two\n"));
    FakeHost host =
        host(request ->
            request.path().equals("/moved")
                ? Reply.of(200, "here")
                : Reply.of(302, "")
                    .with(
                        "Location",
                        request.path().equals("/log") ? other.address() + "/blob" : "/moved"));
    ForgeClient client = client(host);

    assertThat(new String(client.tail("/log", 9, 1_000_000), UTF_8)).isEqualTo("line two\n");
    assertThat(client.call(ForgeRequest.get("/log")).text()).startsWith("line one");
    assertThat(other.requests()).hasSize(2);
    assertThat(other.requests())
        .allSatisfy(request -> assertThat(request.headers()).doesNotContainKey("authorization"));

    assertThat(client.call(ForgeRequest.get("/old")).text()).isEqualTo("here");
    assertThat(host.requests().getLast().header("authorization")).isNotEmpty();
  }

  /** Seen to fail when a write follows every redirect. */
  @Test
  void a_write_is_not_sent_to_another_host() throws Exception {
    FakeHost other = host(request -> Reply.of(200, "{}"));
    FakeHost host = host(request -> Reply.of(307, "").with("Location", other.address() + "/a"));

    ForgeException failed =
        failure(client(host), ForgeRequest.write("POST", "/a", JsonValue.object()));

    assertThat(failed.error()).isInstanceOf(ForgeError.Outage.class);
    assertThat(other.requests()).isEmpty();
  }

  /** Seen to fail when every failed write counts as not done. */
  @Test
  void a_write_without_an_answer_may_have_arrived() throws Exception {
    FakeHost host =
        host(request -> request.path().equals("/cut") ? Reply.cut() : Reply.of(502, ""));
    ForgeClient client = client(host);

    for (String path : List.of("/cut", "/gateway")) {
      ForgeException failed = failure(client, ForgeRequest.write("POST", path, JsonValue.object()));
      assertThat(failed.error()).isInstanceOf(ForgeError.Outage.class);
      assertThat(failed.mayHaveArrived()).isTrue();
    }
    assertThat(failure(client, ForgeRequest.get("/gateway")).mayHaveArrived()).isFalse();
    host.close();
    assertThat(
            failure(client, ForgeRequest.write("POST", "/a", JsonValue.object())).mayHaveArrived())
        .isFalse();
  }

  /** Seen to fail when there is no time limit for an answer. */
  @Test
  void a_host_that_does_not_answer_is_given_up() throws Exception {
    FakeHost host =
        host(request -> {
          Thread.sleep(Duration.ofMinutes(10));
          return Reply.of(200, "{}");
        });
    ForgeClient client =
        client(
            settings(host.address()).withTimeout(Duration.ofMillis(200)),
            () -> new ForgeCredential.Secret("", TOKEN));

    assertThat(failure(client, ForgeRequest.get("/a")).error())
        .isInstanceOf(ForgeError.Outage.class);
  }

  /** Seen to fail when the message of an invalid header is passed on. */
  @Test
  void no_message_has_the_token() throws Exception {
    FakeHost host = host(request -> Reply.of(401, "{\"message\":\"Bad credentials\"}"));
    ForgeClient broken =
        client(
            settings(host.address()),
            () -> new ForgeCredential.Secret("", TOKEN + "\nX: injected"));

    assertThat(failure(broken, ForgeRequest.get("/a")))
        .hasMessageNotContaining(TOKEN)
        .extracting(ForgeException::error)
        .isInstanceOf(ForgeError.Unauthorized.class);
    assertThat(host.requests()).isEmpty();
    assertThat(failure(client(host), ForgeRequest.get("/a")))
        .hasMessage("GET /a: 401 Bad credentials");
    assertThat(new ForgeCredential.Secret("ann", TOKEN).toString()).doesNotContain(TOKEN);
  }

  /** Seen to fail when a rejected token is not renewed, and when it is tried without end. */
  @Test
  void a_token_that_is_not_accepted_is_renewed_once() throws Exception {
    FakeHost host =
        host(request ->
            request.header("authorization").equals("Bearer new")
                ? Reply.of(200, "{}")
                : Reply.of(401, "{}"));
    AtomicInteger rejected = new AtomicInteger();
    ForgeCredential renewing =
        new ForgeCredential() {
          @Override
          public Secret get() {
            return new Secret("", rejected.get() == 1 ? "new" : "old" + rejected.get());
          }

          @Override
          public void reject(Secret secret) {
            rejected.incrementAndGet();
          }
        };
    ForgeClient client = client(settings(host.address()), renewing);

    assertThat(client.call(ForgeRequest.get("/a")).status()).isEqualTo(200);
    rejected.set(5);
    assertThat(failure(client, ForgeRequest.get("/a")).error())
        .isInstanceOf(ForgeError.Unauthorized.class);
    assertThat(rejected).hasValue(6);
    assertThat(host.requests()).hasSize(4);
  }

  @Test
  void a_signature_is_checked_over_the_bytes() {
    byte[] body = "Hello, World!".getBytes(UTF_8);
    // The example of GitHub's documentation.
    String hex = "757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17";

    assertThat(HookSignature.isHmac("It's a Secret to Everybody", body, hex)).isTrue();
    assertThat(HookSignature.isHmac("It's a Secret to Everybody", body, hex.substring(2)))
        .isFalse();
    assertThat(HookSignature.isHmac("another", body, hex)).isFalse();
    assertThat(HookSignature.isHmac("", body, HookSignature.hmac("x", body))).isFalse();
  }
}
