package dev.midcourse.gateway.pump;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.midcourse.gateway.http.RequestHead;
import dev.midcourse.gateway.http.ResponseHead;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardProtocolFamily;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLSocketFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GatewayServerTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

  private static final Pattern LENGTH = Pattern.compile("(?i)content-length: (\\d+)");

  private final List<AutoCloseable> opened = new ArrayList<>();

  @AfterEach
  void closeAll() throws Exception {
    for (AutoCloseable each : opened.reversed()) {
      each.close();
    }
  }

  /** Seen to fail when the pump writes one byte less of each portion. */
  @Test
  void bodies_pass_unchanged_in_both_directions_whatever_their_framing() throws Exception {
    long seed = Long.getLong("midcourse.seed", System.nanoTime());
    System.out.println("midcourse.seed=" + seed);
    Random random = new Random(seed);
    for (int round = 0; round < 60; round++) {
      byte[] request = framed(random, "POST /%s/v1/messages HTTP/1.1\r\nHost: x\r\n");
      byte[] response = framed(random, "HTTP/1.1 200 OK\r\n%s");
      byte[] written = fill(response, "X-Round: " + round + "\r\n");
      CompletableFuture<byte[]> arrived = new CompletableFuture<>();
      Random portions = new Random(random.nextLong());
      RawProvider provider =
          provider(socket -> {
            arrived.complete(socket.getInputStream().readAllBytes());
            writeInPortions(socket.getOutputStream(), written, portions);
          });
      ObservedRoute route = ObservedRoute.to(provider.port());
      try (Socket agent = connect(gateway(route))) {
        byte[] sent = fill(request, ObservedRoute.SECRET);
        Thread sender =
            Thread.ofVirtual()
                .start(() -> {
                  try {
                    writeInPortions(agent.getOutputStream(), sent, new Random(seed));
                    agent.shutdownOutput();
                  } catch (IOException failure) {
                    arrived.completeExceptionally(failure);
                  }
                });
        byte[] got = agent.getInputStream().readAllBytes();
        sender.join();
        assertThat(body(arrived.get(60, TimeUnit.SECONDS)))
            .as("request of round %d, seed %d", round, seed)
            .isEqualTo(body(sent));
        assertThat(got).as("response of round %d, seed %d", round, seed).isEqualTo(written);
      }
      closeAll();
      opened.clear();
    }
  }

  @Test
  void each_event_arrives_before_the_next_is_sent() throws Exception {
    CountDownLatch[] taken = new CountDownLatch[20];
    Arrays.setAll(taken, _ -> new CountDownLatch(1));
    RawProvider provider =
        provider(socket -> {
          readHead(socket.getInputStream());
          OutputStream out = socket.getOutputStream();
          out.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".getBytes(UTF_8));
          for (CountDownLatch each : taken) {
            out.write("3\r\nabc\r\n".getBytes(UTF_8));
            assertThat(each.await(60, TimeUnit.SECONDS)).isTrue();
          }
          out.write("0\r\n\r\n".getBytes(UTF_8));
        });
    try (Socket agent = connect(gateway(ObservedRoute.to(provider.port())))) {
      agent.getOutputStream().write(get("/v1/models"));
      InputStream in = agent.getInputStream();
      readHead(in);
      for (CountDownLatch each : taken) {
        assertThat(new String(in.readNBytes(8), UTF_8)).isEqualTo("3\r\nabc\r\n");
        each.countDown();
      }
      assertThat(new String(in.readNBytes(5), UTF_8)).isEqualTo("0\r\n\r\n");
    }
  }

  @Test
  void two_hundred_streams_pass_at_once() throws Exception {
    int streams = 200;
    CountDownLatch all = new CountDownLatch(streams);
    RawProvider provider =
        provider(socket -> {
          readHead(socket.getInputStream());
          OutputStream out = socket.getOutputStream();
          out.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".getBytes(UTF_8));
          all.countDown();
          // No stream goes on before each of the others has begun.
          assertThat(all.await(60, TimeUnit.SECONDS)).isTrue();
          for (int i = 0; i < 50; i++) {
            out.write("3\r\nabc\r\n".getBytes(UTF_8));
          }
          out.write("0\r\n\r\n".getBytes(UTF_8));
        });
    int port = gateway(ObservedRoute.to(provider.port()));
    List<CompletableFuture<String>> answers = new ArrayList<>();
    for (int i = 0; i < streams; i++) {
      CompletableFuture<String> answer = new CompletableFuture<>();
      answers.add(answer);
      Thread.ofVirtual()
          .start(() -> {
            try (Socket agent = connect(port)) {
              agent.getOutputStream().write(get("/v1/models"));
              readHead(agent.getInputStream());
              answer.complete(new String(agent.getInputStream().readNBytes(405), UTF_8));
            } catch (Exception failure) {
              answer.completeExceptionally(failure);
            }
          });
    }
    for (CompletableFuture<String> answer : answers) {
      assertThat(answer.get(60, TimeUnit.SECONDS))
          .isEqualTo("3\r\nabc\r\n".repeat(50) + "0\r\n\r\n");
    }
  }

  /** Seen to fail when each request opens a connection to the provider. */
  @Test
  void requests_of_one_connection_share_one_to_the_provider() throws Exception {
    RawProvider provider = provider(GatewayServerTest::answerAll);
    ObservedRoute route = ObservedRoute.to("http://127.0.0.1:" + provider.port() + "/base/");
    int port = gateway(route);
    HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    opened.add(client);
    for (int i = 0; i < 5; i++) {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create(address(port) + "/v1/messages?beta=true"))
              .header("Accept-Encoding", "gzip, br, zstd")
              .POST(HttpRequest.BodyPublishers.ofString("hello " + i))
              .build();
      HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
      assertThat(response.body())
          .startsWith("POST /base/v1/messages?beta=true HTTP/1.1")
          .contains("Host: 127.0.0.1:" + provider.port())
          .contains("Accept-Encoding: gzip\r\n")
          .doesNotContain(ObservedRoute.SECRET);
    }
    assertThat(provider.connections()).isEqualTo(1);
    assertThat(route.observations()).hasSize(5);
    assertThat(new String(route.observations().get(3).requestBody(), UTF_8)).isEqualTo("hello 3");
    assertThat(route.observations().get(3).request().target()).isEqualTo("/v1/messages?beta=true");
  }

  @Test
  void a_provider_that_closes_an_idle_connection_gets_a_new_one() throws Exception {
    Semaphore closed = new Semaphore(0);
    RawProvider provider =
        provider(socket -> {
          readHead(socket.getInputStream());
          socket.getOutputStream().write(OK.getBytes(UTF_8));
          socket.shutdownOutput();
          // The gateway has seen the end when it closes its side.
          assertThat(socket.getInputStream().read()).isEqualTo(-1);
          closed.release();
        });
    try (Socket agent = connect(gateway(ObservedRoute.to(provider.port())))) {
      for (int i = 1; i <= 3; i++) {
        agent.getOutputStream().write(get("/v1/models"));
        assertThat(readHead(agent.getInputStream())).startsWith("HTTP/1.1 200 OK");
        assertThat(new String(agent.getInputStream().readNBytes(2), UTF_8)).isEqualTo("ok");
        assertThat(closed.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
        assertThat(provider.connections()).isEqualTo(i);
      }
    }
  }

  @Test
  void an_agent_that_expects_to_be_asked_gets_the_interim_response() throws Exception {
    RawProvider provider =
        provider(socket -> {
          readHead(socket.getInputStream());
          socket.getOutputStream().write("HTTP/1.1 100 Continue\r\n\r\n".getBytes(UTF_8));
          byte[] body = socket.getInputStream().readNBytes(5);
          socket
              .getOutputStream()
              .write(
                  ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n" + new String(body, UTF_8))
                      .getBytes(UTF_8));
        });
    try (Socket agent = connect(gateway(ObservedRoute.to(provider.port())))) {
      agent.getOutputStream().write(expecting());
      assertThat(readHead(agent.getInputStream())).startsWith("HTTP/1.1 100 Continue");
      agent.getOutputStream().write("hello".getBytes(UTF_8));
      assertThat(readHead(agent.getInputStream())).startsWith("HTTP/1.1 200 OK");
      assertThat(new String(agent.getInputStream().readNBytes(5), UTF_8)).isEqualTo("hello");
    }
  }

  @Test
  void a_connection_ends_when_the_provider_refuses_a_body_that_was_not_sent() throws Exception {
    RawProvider provider =
        provider(socket -> {
          readHead(socket.getInputStream());
          socket
              .getOutputStream()
              .write("HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n".getBytes(UTF_8));
          assertThat(socket.getInputStream().read()).isEqualTo(-1);
        });
    try (Socket agent = connect(gateway(ObservedRoute.to(provider.port())))) {
      agent.getOutputStream().write(expecting());
      assertThat(readHead(agent.getInputStream())).startsWith("HTTP/1.1 413 ");
      assertThat(agent.getInputStream().read()).isEqualTo(-1);
    }
  }

  private static byte[] expecting() {
    String fields = "Host: x\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n";
    return "POST /%s/v1/messages HTTP/1.1\r\n%s"
        .formatted(ObservedRoute.SECRET, fields)
        .getBytes(UTF_8);
  }

  @Test
  void an_upgrade_is_refused_at_once() throws Exception {
    RawProvider provider = provider(GatewayServerTest::answerAll);
    String answer =
        exchange(
            gateway(ObservedRoute.to(provider.port())),
            "GET /%s/v1/responses HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n"
                .formatted(ObservedRoute.SECRET));
    assertThat(answer).startsWith("HTTP/1.1 426 Upgrade Required");
    assertThat(provider.connections()).isZero();
  }

  /** Seen to fail when an unknown secret is passed on. */
  @ParameterizedTest
  @CsvSource({
    "/v1/messages, permission_error",
    "/v1/responses, gateway_error",
    "/v1/chat/completions, gateway_error",
    "/v1beta/models/x:streamGenerateContent, PERMISSION_DENIED"
  })
  void an_unknown_secret_is_refused_in_the_form_of_the_provider(String path, String word)
      throws Exception {
    RawProvider provider = provider(GatewayServerTest::answerAll);
    String answer =
        exchange(
            gateway(ObservedRoute.to(provider.port())),
            "POST /zzzzzzzzzzzzzzzzzzzzzzzzzz%s HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nbody"
                .formatted(path));
    assertThat(answer).startsWith("HTTP/1.1 403 Forbidden").contains(word);
    assertThat(exchange(gateway(ObservedRoute.to(provider.port())), "GET / HTTP/1.1\r\n\r\n"))
        .startsWith("HTTP/1.1 403 ");
    assertThat(provider.connections()).isZero();
  }

  /** Seen to fail when a request with two lengths is passed on. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n",
        "Content-Length: 4\r\nContent-Length: 5\r\n",
        "Content-Length: +4\r\n",
        "Transfer-Encoding: gzip, chunked\r\n",
        "Host : x\r\n",
        "Host: x\r\n folded\r\n",
        "Bad\u0001: x\r\n",
        "X: a\rb\r\n",
        ": x\r\n"
      })
  void a_head_that_can_be_read_in_two_ways_is_refused(String fields) throws Exception {
    RawProvider provider = provider(GatewayServerTest::answerAll);
    String answer =
        exchange(
            gateway(ObservedRoute.to(provider.port())),
            "POST /%s/v1/messages HTTP/1.1\r\n%s\r\n".formatted(ObservedRoute.SECRET, fields));
    assertThat(answer).startsWith("HTTP/1.1 400 ");
    assertThat(provider.connections()).isZero();
  }

  @Test
  void a_head_that_is_too_long_is_refused() throws Exception {
    RawProvider provider = provider(GatewayServerTest::answerAll);
    String answer =
        exchange(
            gateway(ObservedRoute.to(provider.port())),
            "GET /%s/x HTTP/1.1\r\nX: %s\r\n\r\n"
                .formatted(ObservedRoute.SECRET, "x".repeat(70_000)));
    assertThat(answer).startsWith("HTTP/1.1 431 ");
    assertThat(provider.connections()).isZero();
  }

  /** Seen to fail when the head may have 16 KiB. */
  @Test
  void a_head_of_sixty_kilobytes_passes() throws Exception {
    RawProvider provider = provider(GatewayServerTest::answerAll);
    String value = "y".repeat(60_000);
    String answer =
        exchange(
            gateway(ObservedRoute.to(provider.port())),
            "GET /%s/x HTTP/1.1\r\nX: %s\r\n\r\n".formatted(ObservedRoute.SECRET, value));
    assertThat(answer).startsWith("HTTP/1.1 200 OK").contains("X: " + value);
  }

  @Test
  void a_slow_agent_slows_the_provider_and_gets_everything() throws Exception {
    AtomicLong written = new AtomicLong();
    long size = 64L << 20;
    byte[] portion = new byte[64 * 1024];
    RawProvider provider =
        provider(socket -> {
          readHead(socket.getInputStream());
          OutputStream out = socket.getOutputStream();
          out.write(("HTTP/1.1 200 OK\r\nContent-Length: " + size + "\r\n\r\n").getBytes(UTF_8));
          while (written.get() < size) {
            out.write(portion);
            written.addAndGet(portion.length);
          }
        });
    RouteLookup unobserved =
        _ -> Optional.of(new SilentRoute(Upstream.parse("http://127.0.0.1:" + provider.port())));
    try (Socket agent = connect(gateway(unobserved))) {
      agent.getOutputStream().write(get("/v1/models"));
      readHead(agent.getInputStream());
      byte[] first = agent.getInputStream().readNBytes(1 << 20);
      // The buffers of the system hold some megabytes; the gateway adds nothing to them.
      assertThat(written.get()).isLessThan(size / 2);
      long got = first.length;
      byte[] buffer = new byte[64 * 1024];
      while (got < size) {
        got += agent.getInputStream().read(buffer);
      }
      assertThat(got).isEqualTo(size);
    }
  }

  /** A route whose exchanges nobody looks at. */
  private record SilentRoute(Upstream upstream) implements AttemptRoute {
    @Override
    public ExchangeObserver begin(RequestHead request) {
      return new ExchangeObserver() {
        @Override
        public void requestContent(byte[] bytes, int from, int length) {}

        @Override
        public void requestEnded(boolean whole) {}

        @Override
        public void responded(ResponseHead head) {}

        @Override
        public void responseContent(byte[] bytes, int from, int length) {}

        @Override
        public void ended(ExchangeEnd how) {}
      };
    }
  }

  @Test
  void an_agent_that_hangs_up_ends_the_connection_to_the_provider() throws Exception {
    CompletableFuture<Integer> seen = new CompletableFuture<>();
    RawProvider provider =
        provider(socket -> {
          readHead(socket.getInputStream());
          socket
              .getOutputStream()
              .write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nab".getBytes(UTF_8));
          seen.complete(socket.getInputStream().read());
        });
    ObservedRoute route = ObservedRoute.to(provider.port());
    try (Socket agent = connect(gateway(route))) {
      agent.getOutputStream().write(get("/v1/models"));
      readHead(agent.getInputStream());
      agent.getInputStream().readNBytes(2);
    }
    assertThat(seen.get(60, TimeUnit.SECONDS)).isEqualTo(-1);
  }

  @Test
  void an_agent_that_ends_its_side_still_gets_the_response() throws Exception {
    RawProvider provider =
        provider(socket -> {
          socket.getInputStream().readAllBytes();
          socket.getOutputStream().write(OK.getBytes(UTF_8));
        });
    ObservedRoute route = ObservedRoute.to(provider.port());
    try (Socket agent = connect(gateway(route))) {
      agent.getOutputStream().write(get("/v1/models"));
      agent.shutdownOutput();
      assertThat(new String(agent.getInputStream().readAllBytes(), UTF_8)).isEqualTo(OK);
    }
    assertThat(route.observations().getFirst().ends()).containsOnlyOnce(ExchangeEnd.COMPLETE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nab",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab",
        "HTTP/1.1 200 OK\r\nTransfer-Enc",
        ""
      })
  void a_response_that_the_provider_cuts_is_cut_for_the_agent_too(String part) throws Exception {
    RawProvider provider =
        provider(socket -> {
          readHead(socket.getInputStream());
          socket.getOutputStream().write(part.getBytes(UTF_8));
        });
    ObservedRoute route = ObservedRoute.to(provider.port());
    try (Socket agent = connect(gateway(route))) {
      agent.getOutputStream().write(get("/v1/models"));
      String got = new String(agent.getInputStream().readAllBytes(), UTF_8);
      assertThat(got).isEqualTo(part.contains("\r\n\r\n") ? part : "");
    }
    await()
        .atMost(TIMEOUT)
        .untilAsserted(() ->
            assertThat(route.observations().getFirst().ends()).contains(ExchangeEnd.UPSTREAM_CUT));
  }

  @Test
  void a_provider_that_cannot_be_reached_is_named() throws Exception {
    int unused;
    try (ServerSocket socket = new ServerSocket(0)) {
      unused = socket.getLocalPort();
    }
    ObservedRoute route = ObservedRoute.to(unused);
    String answer =
        exchange(
            gateway(route),
            "POST /%s/v1/messages HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nbody"
                .formatted(ObservedRoute.SECRET));
    assertThat(answer)
        .startsWith("HTTP/1.1 502 Bad Gateway")
        .contains("127.0.0.1:" + unused)
        .doesNotContain(ObservedRoute.SECRET);
    assertThat(route.observations().getFirst().ends())
        .containsExactly(false, ExchangeEnd.UNREACHABLE);
  }

  @Test
  void a_unix_socket_is_for_this_user_only_and_serves_the_same(@TempDir Path folder)
      throws Exception {
    RawProvider provider = provider(GatewayServerTest::answerAll);
    ObservedRoute route = ObservedRoute.to(provider.port());
    Path path = folder.resolve("g.sock");
    Files.writeString(path, "of an earlier process");
    server(_ -> Optional.of(route)).listen(path);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
        .isEqualTo("rw-------");
    try (SocketChannel agent = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      agent.connect(UnixDomainSocketAddress.of(path));
      OutputStream out = Channels.newOutputStream(agent);
      InputStream in = Channels.newInputStream(agent);
      for (int i = 0; i < 2; i++) {
        out.write(get("/v1/models"));
        assertThat(readHead(in)).startsWith("HTTP/1.1 200 OK");
        assertThat(readHead(in)).startsWith("GET /v1/models HTTP/1.1");
      }
    }
  }

  @Test
  void an_address_with_tls_needs_a_certificate_that_is_trusted(@TempDir Path folder)
      throws Exception {
    UpstreamCertificate certificate = UpstreamCertificate.create(folder);
    RawProvider provider = RawProvider.start(certificate.listen(), GatewayServerTest::answerAll);
    opened.add(provider);
    ObservedRoute route = ObservedRoute.to("https://localhost:" + provider.port());
    String request =
        "GET /%s/v1/models HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
            .formatted(ObservedRoute.SECRET);
    assertThat(exchange(gateway(route), request)).startsWith("HTTP/1.1 502 ").contains("PKIX");

    GatewayServer trusting =
        new GatewayServer(_ -> Optional.of(route), new UpstreamConnector(certificate.trust()));
    opened.add(trusting);
    assertThat(exchange(trusting.listen(0), request))
        .startsWith("HTTP/1.1 200 OK")
        .contains("Host: localhost:" + provider.port());
    ObservedRoute other = ObservedRoute.to("https://127.0.0.1:" + provider.port());
    GatewayServer wrongName =
        new GatewayServer(_ -> Optional.of(other), new UpstreamConnector(certificate.trust()));
    opened.add(wrongName);
    assertThat(exchange(wrongName.listen(0), request)).startsWith("HTTP/1.1 502 ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"ftp://x", "http://", "https://u@x/", "http://x/?a", "x", "http://x/#a"})
  void an_upstream_that_is_no_address_is_refused(String address) {
    assertThatThrownBy(() -> Upstream.parse(address))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("upstream");
  }

  private RawProvider provider(RawProvider.Conversation conversation) throws IOException {
    RawProvider provider = RawProvider.start(conversation);
    opened.add(provider);
    return provider;
  }

  private int gateway(ObservedRoute route) throws IOException {
    return gateway(
        secret -> secret.equals(ObservedRoute.SECRET) ? Optional.of(route) : Optional.empty());
  }

  private int gateway(RouteLookup routes) throws IOException {
    return server(routes).listen(0);
  }

  private GatewayServer server(RouteLookup routes) {
    GatewayServer server =
        new GatewayServer(
            routes, new UpstreamConnector((SSLSocketFactory) SSLSocketFactory.getDefault()));
    opened.add(server);
    return server;
  }

  private static Socket connect(int port) throws IOException {
    Socket socket = new Socket(InetAddress.ofLiteral("127.0.0.1"), port);
    socket.setTcpNoDelay(true);
    socket.setSoTimeout((int) TIMEOUT.toMillis());
    return socket;
  }

  private static String address(int port) {
    return "http://127.0.0.1:" + port + "/" + ObservedRoute.SECRET;
  }

  private static byte[] get(String path) {
    return "GET /%s%s HTTP/1.1\r\nHost: x\r\n\r\n"
        .formatted(ObservedRoute.SECRET, path)
        .getBytes(UTF_8);
  }

  private static String exchange(int port, String request) throws IOException {
    try (Socket agent = connect(port)) {
      agent.getOutputStream().write(request.getBytes(ISO_8859_1));
      agent.shutdownOutput();
      return new String(agent.getInputStream().readAllBytes(), UTF_8);
    }
  }

  /** Answers each request with its own head. */
  private static void answerAll(Socket socket) throws IOException {
    InputStream in = socket.getInputStream();
    String head = readHead(in);
    while (!head.isEmpty()) {
      Matcher length = LENGTH.matcher(head);
      if (length.find()) {
        in.readNBytes(Integer.parseInt(length.group(1)));
      }
      byte[] body = head.getBytes(ISO_8859_1);
      socket
          .getOutputStream()
          .write(
              ("HTTP/1.1 200 OK\r\nContent-Length: " + body.length + "\r\n\r\n").getBytes(UTF_8));
      socket.getOutputStream().write(body);
      head = readHead(in);
    }
  }

  private static String readHead(InputStream in) throws IOException {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    int b = in.read();
    while (b >= 0) {
      head.write(b);
      if (b == '\n' && head.toString(ISO_8859_1).endsWith("\r\n\r\n")) {
        return head.toString(ISO_8859_1);
      }
      b = in.read();
    }
    return "";
  }

  /** Returns a message with a random body, framed by its length or in random chunks. */
  private static byte[] framed(Random random, String start) throws IOException {
    byte[] body = new byte[random.nextInt(5) == 0 ? 0 : random.nextInt(200_000)];
    random.nextBytes(body);
    ByteArrayOutputStream message = new ByteArrayOutputStream();
    message.write(start.getBytes(UTF_8));
    if (random.nextBoolean()) {
      message.write(("Content-Length: " + body.length + "\r\n\r\n").getBytes(UTF_8));
      message.write(body);
      return message.toByteArray();
    }
    message.write("transfer-encoding: Chunked\r\n\r\n".getBytes(UTF_8));
    int at = 0;
    while (at < body.length) {
      int size = Math.min(body.length - at, 1 + random.nextInt(40_000));
      String hex =
          random.nextBoolean()
              ? Integer.toHexString(size)
              : "0000" + Integer.toHexString(size).toUpperCase(Locale.ROOT);
      message.write((hex + (random.nextInt(4) == 0 ? ";name=\"v\"" : "") + "\r\n").getBytes(UTF_8));
      message.write(body, at, size);
      message.write("\r\n".getBytes(UTF_8));
      at += size;
    }
    message.write(
        (random.nextBoolean() ? "0\r\n\r\n" : "0\r\nX-Trailer: é\r\nY: z\r\n\r\n").getBytes(UTF_8));
    return message.toByteArray();
  }

  /** Puts a text into the place that the start line leaves for it. */
  private static byte[] fill(byte[] message, String text) {
    String whole = new String(message, ISO_8859_1);
    return whole.replaceFirst("%s", text).getBytes(ISO_8859_1);
  }

  private static byte[] body(byte[] message) {
    String whole = new String(message, ISO_8859_1);
    return whole.substring(whole.indexOf("\r\n\r\n")).getBytes(ISO_8859_1);
  }

  private static void writeInPortions(OutputStream out, byte[] bytes, Random random)
      throws IOException {
    int at = 0;
    while (at < bytes.length) {
      int size = Math.min(bytes.length - at, 1 + random.nextInt(random.nextBoolean() ? 5 : 30_000));
      out.write(bytes, at, size);
      at += size;
    }
  }
}
