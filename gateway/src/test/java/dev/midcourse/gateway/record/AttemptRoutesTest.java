package dev.midcourse.gateway.record;

import static dev.midcourse.gateway.read.SampleRequests.FRAME;
import static dev.midcourse.gateway.read.SampleRequests.STEER;
import static dev.midcourse.gateway.read.SampleRequests.json;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import dev.midcourse.gateway.pump.ExchangeEnd;
import dev.midcourse.gateway.pump.GatewayServer;
import dev.midcourse.gateway.pump.UpstreamConnector;
import dev.midcourse.gateway.read.PresentSteer;
import dev.midcourse.gateway.read.RequestClass;
import dev.midcourse.gateway.read.SteerPlace;
import dev.midcourse.gateway.read.TokenUsage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The pump, the readers and the records together, with the HTTP server and client of the JDK. */
class AttemptRoutesTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final String ANSWER =
      """
      event: message_start
      data: {"type":"message_start","message":{"id":"msg_7","usage":{"input_tokens":5,"output_tokens":1}}}

      event: message_delta
      data: {"type":"message_delta","usage":{"output_tokens":9}}

      event: message_stop
      data: {"type":"message_stop"}

      """;

  /** Words that no record may have. */
  private static final String CANARY = "sk-canary-0123456789";

  private final AttemptKey key = AttemptKey.fresh();

  @TempDir Path folder;

  private HttpServer provider;
  private HttpClient client;
  private GatewayServer server;
  private RouteFolder routeFolder;
  private AttemptRoutes routes;
  private int port;

  private volatile int status = 200;
  private volatile byte[] answer = ANSWER.getBytes(UTF_8);
  private volatile Optional<String> coding = Optional.empty();

  @BeforeEach
  void setUp() throws IOException {
    provider = HttpServer.create(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0), 50);
    provider.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    provider.createContext(
        "/",
        exchange -> {
          exchange.getRequestBody().readAllBytes();
          exchange
              .getResponseHeaders()
              .add("Content-Type", status == 200 ? "text/event-stream" : "application/json");
          exchange.getResponseHeaders().add("request-id", "req_1");
          if (status == 429) {
            exchange.getResponseHeaders().add("Retry-After", "7");
          }
          coding.ifPresent(it -> exchange.getResponseHeaders().add("Content-Encoding", it));
          exchange.sendResponseHeaders(status, 0);
          try (OutputStream out = exchange.getResponseBody()) {
            out.write(answer);
          }
        });
    provider.start();
    client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    routeFolder = RouteFolder.open(folder.resolve("routes"));
    start();
    routeFolder.put(key, new RouteSpec(upstream(), recordsPath()));
  }

  private void start() throws IOException {
    routes = new AttemptRoutes(routeFolder, InstantSource.system());
    server = new GatewayServer(routes, UpstreamConnector.ofThisSystem());
    port = server.listen(0);
  }

  @AfterEach
  void tearDown() {
    server.close();
    client.close();
    provider.stop(0);
  }

  private String upstream() {
    return "http://127.0.0.1:" + provider.getAddress().getPort();
  }

  private Path recordsPath() {
    return folder.resolve("records.jsonl");
  }

  @Test
  void a_main_request_with_a_steer_that_was_answered_proves_it() throws Exception {
    send(main(FRAME));
    RequestRecord request = requests(1).getFirst();
    assertThat(request.proves()).isTrue();
    assertThat(request.steers()).containsExactly(new PresentSteer(STEER, SteerPlace.MESSAGE));
    assertThat(request.evidence()).isEqualTo("request 1 (main 1), msg_7, 200");
    assertThat(request.providerRequest()).hasValue("req_1");
    assertThat(request.session()).hasValue("s1");
    assertThat(request.sha256())
        .hasValue(
            HexFormat.of()
                .formatHex(
                    MessageDigest.getInstance("SHA-256").digest(main(FRAME).getBytes(UTF_8))));
    ResponseRecord response = responses(1).getFirst();
    assertThat(response.how()).isEqualTo(ExchangeEnd.COMPLETE);
    assertThat(response.complete()).isTrue();
    assertThat(response.usage()).hasValue(new TokenUsage(5, 0, 0, 9));
    assertThat(response.bytes()).isEqualTo(ANSWER.length());
  }

  /** Seen to fail when a record has a field of the head. */
  @Test
  void no_credential_and_no_text_is_in_a_record() throws Exception {
    send(main(FRAME + " " + CANARY));
    requests(1);
    String records = Files.readString(recordsPath());
    assertThat(records).doesNotContain(CANARY).doesNotContain(key.secret()).doesNotContain("tabs");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(recordsPath())))
        .isEqualTo("rw-------");
    try (var files = Files.list(folder.resolve("routes"))) {
      assertThat(files)
          .singleElement()
          .satisfies(file -> {
            assertThat(file.toString()).doesNotContain(key.secret());
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
          });
    }
  }

  /** Seen to fail when the status of the response is not looked at. */
  @ParameterizedTest
  @CsvSource({"429", "500", "529", "402", "400"})
  void a_request_that_the_provider_refuses_proves_nothing(int refused) throws Exception {
    status = refused;
    answer = "{\"type\":\"error\",\"error\":{\"message\":\"not now\"}}".getBytes(UTF_8);
    send(main(FRAME));
    assertThat(requests(1).getFirst().proves()).isFalse();
    assertThat(requests(1).getFirst().steers()).hasSize(1);
    ResponseRecord response = responses(1).getFirst();
    assertThat(response.status()).isEqualTo(refused);
    assertThat(response.error()).hasValue("not now");
    assertThat(response.retryAfter())
        .isEqualTo(refused == 429 ? Optional.of("7") : Optional.empty());
  }

  /** Seen to fail when the first bytes of a stream count as an answer of the model. */
  @Test
  void a_stream_without_an_event_of_the_model_proves_nothing() throws Exception {
    answer = ": wait\n\nevent: ping\ndata: {\"type\":\"ping\"}\n\n".getBytes(UTF_8);
    send(main(FRAME));
    assertThat(requests(1).getFirst().proves()).isFalse();
    assertThat(responses(1).getFirst().complete()).isFalse();
  }

  @Test
  void a_stream_that_ends_cleanly_without_its_end_is_not_complete() throws Exception {
    answer = ANSWER.substring(0, ANSWER.indexOf("event: message_stop")).getBytes(UTF_8);
    send(main(FRAME));
    assertThat(requests(1).getFirst().proves()).isTrue();
    assertThat(responses(1).getFirst().how()).isEqualTo(ExchangeEnd.COMPLETE);
    assertThat(responses(1).getFirst().complete()).isFalse();
  }

  @Test
  void requests_are_numbered_and_main_requests_too() throws Exception {
    send(main("one"));
    send(main("two"), "x-claude-code-request-class", "auxiliary");
    send(main("three"));
    List<RequestRecord> requests = requests(3);
    assertThat(requests).extracting(RequestRecord::number).containsExactly(1L, 2L, 3L);
    assertThat(requests).extracting(it -> it.main().orElse(0)).containsExactly(1L, 0L, 2L);
    assertThat(requests.get(1).kind()).isEqualTo(RequestClass.SIDE);
    assertThat(requests.get(1).proves()).isFalse();
  }

  /** Seen to fail when a side request counts as the request before. */
  @Test
  void a_steer_that_the_next_main_request_lacks_is_named() throws Exception {
    send(main(FRAME));
    send("{}", "x-claude-code-request-class", "auxiliary");
    send(main("after the compaction"));
    send(main("and on"));
    List<RequestRecord> requests = requests(4);
    assertThat(requests).extracting(it -> it.missing().size()).containsExactly(0, 0, 1, 0);
    assertThat(requests.get(2).missing()).containsExactly(STEER);
  }

  @Test
  void what_a_partial_request_lacks_is_not_missing() throws Exception {
    send(main(FRAME));
    send("{\"thread\":{\"type\":\"continue\"},\"messages\":[]}");
    send(main("whole again"));
    assertThat(requests(3)).extracting(it -> it.missing().size()).containsExactly(0, 0, 1);
  }

  @Test
  void a_gateway_that_is_started_again_goes_on_with_the_numbers() throws Exception {
    send(main(FRAME));
    requests(1);
    server.close();
    Files.writeString(recordsPath(), "{\"kind\":\"request\",\"n\":", StandardOpenOption.APPEND);
    start();
    send(main("without"));
    List<RequestRecord> requests = requests(2);
    assertThat(requests.get(1).number()).isEqualTo(2);
    assertThat(requests.get(1).main()).hasValue(2);
    assertThat(requests.get(1).missing()).containsExactly(STEER);
  }

  @ParameterizedTest
  @CsvSource({"true", "false"})
  void content_with_gzip_is_read_and_passed_unchanged(boolean withName) throws Exception {
    answer = gzip(ANSWER, withName);
    coding = Optional.of("gzip");
    byte[] got = send(gzip(main(FRAME), withName), Map.of("content-encoding", "gzip"));
    assertThat(got).isEqualTo(answer);
    assertThat(requests(1).getFirst().proves()).isTrue();
    assertThat(requests(1).getFirst().steers()).hasSize(1);
    assertThat(responses(1).getFirst().usage()).isPresent();
  }

  @Test
  void content_in_an_unknown_coding_is_passed_and_said_to_be_unreadable() throws Exception {
    byte[] body = {1, 2, 3};
    send(body, Map.of("content-encoding", "zstd"));
    assertThat(requests(1).getFirst().kind()).isEqualTo(RequestClass.UNREADABLE);
    assertThat(requests(1).getFirst().proves()).isFalse();
    assertThat(requests(1).getFirst().answered()).isTrue();
  }

  /** Seen to fail when a route is kept in memory. */
  @Test
  void an_attempt_that_is_fenced_is_refused() throws Exception {
    send(main("one"));
    routeFolder.remove(key);
    HttpResponse<byte[]> refused = response(main("two").getBytes(UTF_8), Map.of());
    assertThat(refused.statusCode()).isEqualTo(403);
    assertThat(new String(refused.body(), UTF_8)).contains("permission_error");
    assertThat(requests(1)).hasSize(1);
  }

  /** Seen to fail when a copy is not given back. */
  @Test
  void the_memory_of_all_copies_is_given_back() throws Exception {
    String large = main("x".repeat(10_000_000) + "\n" + FRAME);
    for (int i = 0; i < 12; i++) {
      send(large);
    }
    assertThat(requests(12)).allMatch(it -> it.steers().size() == 1);
    await()
        .atMost(TIMEOUT)
        .untilAsserted(() -> assertThat(routes.freeCopies()).isEqualTo(AttemptRoutes.MAX_COPIES));
  }

  @Test
  void a_body_that_is_too_large_to_read_is_passed_all_the_same() throws Exception {
    String huge = main("x".repeat(BodyCopy.MAX_BYTES));
    assertThat(new String(send(huge.getBytes(UTF_8), Map.of()), UTF_8)).isEqualTo(ANSWER);
    RequestRecord request = requests(1).getFirst();
    assertThat(request.kind()).isEqualTo(RequestClass.UNREADABLE);
    assertThat(request.bytes()).isEqualTo(huge.length());
  }

  private static String main(String words) {
    return "{\"model\":\"m\",\"tools\":[{}],\"messages\":[{\"role\":\"user\",\"content\":"
        + json(words)
        + "}]}";
  }

  private void send(String body, String... header) throws Exception {
    send(body.getBytes(UTF_8), header.length == 0 ? Map.of() : Map.of(header[0], header[1]));
  }

  private byte[] send(byte[] body, Map<String, String> headers) throws Exception {
    return response(body, headers).body();
  }

  private HttpResponse<byte[]> response(byte[] body, Map<String, String> headers) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:" + port + "/" + key.secret() + "/v1/messages"))
            .setHeader("x-claude-code-request-class", "main")
            .setHeader("x-claude-code-session-id", "s1")
            .setHeader("authorization", "Bearer " + CANARY)
            .POST(HttpRequest.BodyPublishers.ofByteArray(body));
    headers.forEach(request::setHeader);
    return client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
  }

  private static byte[] gzip(String text, boolean withName) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
      out.write(text.getBytes(UTF_8));
    }
    byte[] plain = bytes.toByteArray();
    if (!withName) {
      return plain;
    }
    ByteArrayOutputStream named = new ByteArrayOutputStream();
    plain[3] = 4 + 8 + 16;
    named.write(plain, 0, 10);
    named.write(new byte[] {3, 0, 'a', 'b', 'c'});
    named.write("name\0comment\0".getBytes(UTF_8));
    named.write(plain, 10, plain.length - 10);
    return named.toByteArray();
  }

  /** Waits until this many requests have ended, and returns their records. */
  private List<RequestRecord> requests(int count) throws IOException {
    responses(count);
    return new RecordFile(recordsPath())
        .read().stream()
            .filter(RequestRecord.class::isInstance)
            .map(RequestRecord.class::cast)
            .sorted(Comparator.comparingLong(RequestRecord::number))
            .toList();
  }

  private List<ResponseRecord> responses(int count) {
    return await()
        .atMost(TIMEOUT)
        .until(
            () ->
                new RecordFile(recordsPath())
                    .read().stream()
                        .filter(ResponseRecord.class::isInstance)
                        .map(ResponseRecord.class::cast)
                        .toList(),
            it -> it.size() >= count);
  }
}
