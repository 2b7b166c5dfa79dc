package dev.midcourse.hub;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import dev.midcourse.channels.ChannelFeature;
import dev.midcourse.channels.ChannelListener;
import dev.midcourse.channels.ChannelRequest;
import dev.midcourse.channels.SendResult;
import dev.midcourse.channels.webhook.WebhookChannel;
import dev.midcourse.channels.webhook.WebhookSecret;
import dev.midcourse.channels.webhook.WebhookSettings;
import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.authority.Caller;
import dev.midcourse.core.chat.ChannelName;
import dev.midcourse.core.chat.ChatKind;
import dev.midcourse.core.chat.inbound.ButtonClick;
import dev.midcourse.core.chat.inbound.InboundKind;
import dev.midcourse.core.chat.inbound.InboundMessage;
import dev.midcourse.core.chat.outbound.ChatAddress;
import dev.midcourse.core.chat.outbound.OutboundContent.Button;
import dev.midcourse.core.chat.outbound.OutboundContent.MessageStatus;
import dev.midcourse.core.chat.outbound.OutboundId;
import dev.midcourse.hub.api.WebhookRoutes;
import dev.midcourse.hub.http.ApiRequestHandler;
import dev.midcourse.hub.http.HttpListener;
import dev.midcourse.hub.http.route.RouteTable;
import dev.midcourse.hub.http.server.Authenticator;
import dev.midcourse.hub.http.server.Endpoint;
import dev.midcourse.ledger.json.JsonCodec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** A webhook channel behind a real HTTP server; signatures are made by openssl. */
class WebhookChannelTest {
  private static final String SECRET = "0123456789abcdef-secret";
  private static final Instant NOW = Instant.parse("2026-03-01T10:00:00Z");
  private static final String PATH = "/api/v1/channels/bridge/messages";
  private static final OutboundId ID = OutboundId.of("abcd1234");
  private static final ChatAddress CHAT =
      new ChatAddress(ChannelName.of("bridge"), "c1", Optional.of("t1"));

  private final List<InboundMessage> received = new CopyOnWriteArrayList<>();
  private final List<ButtonClick> clicks = new CopyOnWriteArrayList<>();
  private HttpListener listener;
  private HttpServer receiver;
  private volatile boolean storeFails;

  @BeforeEach
  void open() throws IOException {
    receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    receiver.start();
    WebhookChannel channel = channel(Optional.empty(), Duration.ofSeconds(30));
    channel.start(new Recorder());
    listener =
        HttpListener.bind(
            new Endpoint(
                "test",
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                Set.of("localhost"),
                100));
    listener.open(
        new ApiRequestHandler(
            new RouteTable(new WebhookRoutes(Map.of("bridge", channel)).routes()),
            (path, match) -> Optional.empty(),
            (caller, group) -> caller),
        new Strangers());
  }

  @AfterEach
  void close() {
    listener.close();
    receiver.stop(0);
  }

  private static final class Strangers implements Authenticator {
    @Override
    public ConnectionAuthenticator accepted(SocketChannel channel) {
      return authorization -> new Caller.Unauthenticated("no token");
    }
  }

  private final class Recorder implements ChannelListener {
    @Override
    public void receive(InboundMessage message) {
      if (storeFails) {
        throw Problem.of(Code.UNAVAILABLE, "store", "", "the store cannot write").refused();
      }
      received.add(message);
    }

    @Override
    public String click(ButtonClick click) {
      clicks.add(click);
      return "You chose " + click.button() + ".";
    }
  }

  private static WebhookChannel channel(Optional<URI> url, Duration timeout) {
    return new WebhookChannel(
        new WebhookSettings(
            ChannelName.of("bridge"),
            WebhookSecret.of(SECRET),
            url,
            timeout,
            Set.of(ChannelFeature.EDITS, ChannelFeature.REACTIONS, ChannelFeature.BUTTONS)),
        () -> NOW);
  }

  private static String message(String text) {
    return """
    {"message_id": "m1", "chat": {"id": "c1", "kind": "group", "threads": true, "name": "Team"},
     "thread": "t1", "sender": {"id": "u7", "name": "Ann"}, "text": %s, "mentioned": true,
     "bare_text": "fix it", "sent_at": "2026-03-01T10:59:00+01:00",
     "reply_to": {"message_id": "m0", "ours": true, "text": "Done."}}
    """
        .formatted(JsonCodec.write(text));
  }

  @Test
  void a_signed_message_is_given_to_the_listener_with_all_its_fields() {
    RawClient.Reply reply = post(message("@bot fix it: é 👍"));

    assertThat(reply.status()).as(reply.body()).isEqualTo(200);
    assertThat(reply.text("state")).isEqualTo("stored");
    InboundMessage message = received.getFirst();
    assertThat(message.ref().toString()).isEqualTo("bridge:c1:m1");
    assertThat(message.kind()).isEqualTo(InboundKind.MESSAGE);
    assertThat(message.thread()).contains("t1");
    assertThat(message.sender().identity().orElseThrow().toString()).isEqualTo("bridge:u7");
    assertThat(message.sender().name()).isEqualTo("Ann");
    assertThat(message.chat().kind()).isEqualTo(ChatKind.GROUP);
    assertThat(message.text()).isEqualTo("@bot fix it: é 👍");
    assertThat(message.bareText()).isEqualTo("fix it");
    assertThat(message.mentioned()).isTrue();
    assertThat(message.sentAt()).isEqualTo(Instant.parse("2026-03-01T09:59:00Z"));
    assertThat(message.replyTo().orElseThrow().ours()).isTrue();
  }

  @Test
  void a_message_that_is_delivered_twice_has_the_same_key() {
    post(message("hello"));
    assertThat(post(message("hello")).status()).isEqualTo(200);
    assertThat(received)
        .extracting(InboundMessage::updateKey)
        .hasSize(2)
        .containsOnly(received.getFirst().updateKey());
  }

  @Test
  void a_click_is_answered_with_the_text_for_the_clicker() {
    RawClient.Reply reply =
        post(
            """
            {"type": "click", "update_id": "u1", "message_id": "m2", "button": "b1",
             "chat": {"id": "c1", "kind": "direct"}, "sender": {"id": "u7"}}
            """);
    assertThat(reply.text("text")).isEqualTo("You chose b1.");
    assertThat(clicks.getFirst().card().message()).isEqualTo("m2");
  }

  @Test
  void a_deletion_needs_no_text() {
    RawClient.Reply reply =
        post(
            """
            {"type": "deletion", "update_id": "u1", "message_id": "m1",
             "chat": {"id": "c1", "kind": "direct"}, "sender": {"id": "u7"}}
            """);
    assertThat(reply.status()).as(reply.body()).isEqualTo(200);
    assertThat(received.getFirst().kind()).isEqualTo(InboundKind.DELETION);
  }

  @Test
  void a_message_that_cannot_be_stored_is_not_acknowledged() {
    storeFails = true;
    assertThat(post(message("hello")).status()).isEqualTo(503);
  }

  @ParameterizedTest
  @ValueSource(strings = {"-301", "301"})
  void a_request_outside_of_the_window_is_refused(int seconds) {
    String body = message("hello");
    assertRefused(
        signed(body, NOW.plusSeconds(seconds), SECRET).post(PATH, body), "more than 5 minutes");
  }

  @ParameterizedTest
  @ValueSource(strings = {"-299", "299"})
  void a_request_inside_of_the_window_is_taken(int seconds) {
    String body = message("hello");
    assertThat(signed(body, NOW.plusSeconds(seconds), SECRET).post(PATH, body).status())
        .isEqualTo(200);
  }

  @Test
  void a_request_with_a_wrong_signature_changes_nothing() {
    String body = message("hello");
    RawClient right = signed(body, NOW, SECRET);
    assertRefused(signed(body, NOW, "another secret, as long").post(PATH, body), "is wrong");
    assertRefused(right.post(PATH, body.replace("hello", "hullo")), "is wrong");
    assertRefused(right.with(WebhookChannel.TIMESTAMP, "1").post(PATH, body), "is wrong");
    assertRefused(right.post("/api/v1/channels/other/messages", body), "is wrong");
    assertRefused(client().post(PATH, body), "Midcourse-Timestamp");
    assertRefused(
        client().with(WebhookChannel.TIMESTAMP, "1").post(PATH, body), "Midcourse-Signature");
  }

  private void assertRefused(RawClient.Reply reply, String reason) {
    assertThat(reply.status()).as(reply.body()).isEqualTo(401);
    assertThat(reply.text("detail")).contains(reason);
    assertThat(received).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{}                                                       | message_id",
        "[]                                                       | body",
        "{\"message_id\": 1}                                      | message_id",
        "{\"message_id\": \"\", \"x\": 1}                         | message_id",
        "{\"message_id\": \"m\", \"type\": \"poke\"}              | type",
        "{\"message_id\": \"m\", \"chat\": 1}                     | chat",
        "{\"message_id\": \"m\", \"chat\": {\"id\": \"c\"}}       | chat.kind",
      })
  void an_invalid_update_is_refused_with_its_field(String body, String field) {
    RawClient.Reply reply = post(body);
    assertThat(reply.status()).isEqualTo(422);
    assertThat(reply.body()).contains("\"" + field + "\"");
    assertThat(received).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"unknown\": 1",
        "\"text\": 7",
        "\"mentioned\": \"yes\"",
        "\"sent_at\": \"yesterday\"",
        "\"reply_to\": {}",
        "\"reply_to\": {\"message_id\": \"m\", \"more\": 1}",
        "\"thread\": \"\"",
        "\"thread\": \"a\\u0000b\"",
        "\"button\": \"b\"",
        "\"chat\": {\"id\": \"c\", \"kind\": \"crowd\"}",
        "\"sender\": {\"id\": \"a b\"}",
        "\"sender\": {\"id\": \"a\", \"kind\": \"alien\"}",
        "\"type\": \"click\"",
        "\"type\": \"edit\"",
      })
  void the_hub_and_the_schema_refuse_the_same_fields(String wrong) {
    String field = wrong.substring(1, wrong.indexOf('"', 1));
    Map<String, String> fields =
        new LinkedHashMap<>(
            Map.of(
                "message_id", "\"m\"",
                "chat", "{\"id\": \"c\", \"kind\": \"direct\"}",
                "sender", "{\"id\": \"a\"}",
                "text", "\"t\""));
    assertThat(errors(json(fields))).isEmpty();
    assertThat(post(json(fields)).status()).isEqualTo(200);
    received.clear();
    fields.put(field, wrong.substring(wrong.indexOf(": ") + 2));
    assertThat(errors(json(fields))).as(json(fields)).isNotEmpty();
    assertThat(post(json(fields)).status()).as(json(fields)).isEqualTo(422);
    assertThat(received).isEmpty();
  }

  private static String json(Map<String, String> fields) {
    StringBuilder json = new StringBuilder();
    fields.forEach((name, value) ->
        json.append(json.isEmpty() ? "{" : ", ")
            .append('"')
            .append(name)
            .append("\": ")
            .append(value));
    return json + "}";
  }

  private static List<?> errors(String body) {
    try {
      Schema schema =
          SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
              .getSchema(Files.readString(Path.of("../docs/webhook.schema.json")));
      return schema.validate(
          body,
          InputFormat.JSON,
          context -> context.executionConfig(config -> config.formatAssertionsEnabled(true)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Seen to fail when the body was decoded with replaced characters: 401, a wrong signature. */
  @Test
  void a_signed_body_that_is_not_utf_8_is_refused_with_the_wrong_byte() {
    byte[] body = message("caf\u00e9").getBytes(ISO_8859_1);
    String seconds = Long.toString(NOW.getEpochSecond());
    RawClient.Reply reply =
        client()
            .with(WebhookChannel.TIMESTAMP, seconds)
            .with(WebhookChannel.SIGNATURE, opensslSignature(seconds, body, SECRET))
            .post(PATH, body);
    assertThat(reply.status()).as(reply.body()).isEqualTo(400);
    assertThat(reply.text("field")).isEqualTo("body");
    assertThat(reply.text("rule")).isEqualTo("UTF-8");
    int wrong = new String(body, ISO_8859_1).indexOf('\u00e9');
    assertThat(reply.text("detail")).contains("0xE9 at index " + wrong);
    assertThat(received).isEmpty();
  }

  @Test
  void a_body_that_is_too_large_is_refused() {
    assertThat(post(message("x".repeat(WebhookChannel.MAX_BODY))).status()).isEqualTo(413);
    assertThat(post(message("x".repeat(300 * 1024))).status()).isEqualTo(413);
    assertThat(received).isEmpty();
  }

  @Test
  void a_sent_request_is_signed_and_has_an_id() throws Exception {
    List<String> bodies = new CopyOnWriteArrayList<>();
    List<Map<String, List<String>>> headers = new CopyOnWriteArrayList<>();
    receive(exchange -> {
      bodies.add(new String(exchange.getRequestBody().readAllBytes(), UTF_8));
      headers.add(Map.copyOf(exchange.getRequestHeaders()));
      answer(exchange, 200, "{\"message_id\": \"p9\"}");
    });
    SendResult result =
        sender().send(ID, new ChannelRequest.SendText(CHAT, "Done: é", Optional.of("m1")));

    assertThat(result).isEqualTo(new SendResult.Sent("p9"));
    JsonNode body = JsonCodec.mapper().readTree(bodies.getFirst());
    assertThat(body.path("type").asString()).isEqualTo("text");
    assertThat(body.path("text").asString()).isEqualTo("Done: é");
    assertThat(body.path("chat").asString()).isEqualTo("c1");
    assertThat(body.path("thread").asString()).isEqualTo("t1");
    assertThat(body.path("reply_to").asString()).isEqualTo("m1");
    assertThat(headers.getFirst().get("Idempotency-key")).containsExactly("abcd1234");
    String time = headers.getFirst().getOrDefault("Midcourse-timestamp", List.of()).getFirst();
    assertThat(headers.getFirst().get("Midcourse-signature"))
        .containsExactly(opensslSignature(time, bodies.getFirst(), SECRET));
  }

  @Test
  void every_kind_of_request_names_what_it_changes() {
    List<JsonNode> bodies = new CopyOnWriteArrayList<>();
    receive(exchange -> {
      bodies.add(JsonCodec.mapper().readTree(exchange.getRequestBody().readAllBytes()));
      answer(exchange, 204, "");
    });
    WebhookChannel sender = sender();
    assertThat(sender.send(ID, new ChannelRequest.EditText(CHAT, "m2", "new")))
        .isEqualTo(new SendResult.Sent("abcd1234"));
    sender.send(ID, new ChannelRequest.SetReaction(CHAT, "m1", MessageStatus.STEERED));
    sender.send(
        ID, new ChannelRequest.SendCard(CHAT, "Approval", "Allow?", List.of(new Button("b", "Y"))));
    sender.send(ID, new ChannelRequest.CloseCard(CHAT, "m3", "Allowed."));
    assertThat(bodies)
        .extracting(body -> body.path("type").asString())
        .containsExactly("edit", "reaction", "card", "close_card");
    assertThat(bodies.get(1).path("status").asString()).isEqualTo("steered");
    assertThat(bodies.get(2).path("buttons").get(0).path("id").asString()).isEqualTo("b");
    assertThat(bodies.get(3).path("message_id").asString()).isEqualTo("m3");
  }

  @ParameterizedTest
  @CsvSource({
    "200, Sent",
    "301, Refused",
    "400, Refused",
    "404, Refused",
    "408, RetryAfter",
    "429, RetryAfter",
    "500, Unknown",
    "502, Unknown",
    "503, RetryAfter",
  })
  void the_status_says_what_is_known(int status, String result) {
    receive(exchange -> {
      exchange.getResponseHeaders().add("Retry-After", "7");
      answer(exchange, status, "no JSON");
    });
    SendResult sent = sender().send(ID, new ChannelRequest.SendText(CHAT, "x", Optional.empty()));
    assertThat(sent.getClass().getSimpleName()).isEqualTo(result);
    if (sent instanceof SendResult.RetryAfter(Duration delay, var _)) {
      assertThat(delay).isEqualTo(Duration.ofSeconds(7));
    }
  }

  @Test
  void a_receiver_that_is_not_there_is_tried_again() throws IOException {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    assertThat(
            channel(Optional.of(URI.create("http://127.0.0.1:" + port)), Duration.ofSeconds(30))
                .send(ID, new ChannelRequest.SendText(CHAT, "x", Optional.empty())))
        .isInstanceOf(SendResult.RetryAfter.class);
  }

  @Test
  void a_cut_connection_and_a_missing_answer_are_unknown() throws IOException {
    CountDownLatch gate = new CountDownLatch(1);
    receive(exchange -> {
      exchange.getRequestBody().readAllBytes();
      try {
        gate.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    });
    ChannelRequest request = new ChannelRequest.SendText(CHAT, "x", Optional.empty());
    assertThat(channel(Optional.of(url()), Duration.ofMillis(300)).send(ID, request))
        .isInstanceOf(SendResult.Unknown.class);
    gate.countDown();

    try (ServerSocket cutting = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Thread.ofVirtual()
          .start(() -> {
            try (var socket = cutting.accept()) {
              assertThat(socket.getInputStream().read()).isPositive();
              socket.setSoLinger(true, 0);
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          });
      URI url = URI.create("http://127.0.0.1:" + cutting.getLocalPort());
      assertThat(channel(Optional.of(url), Duration.ofSeconds(30)).send(ID, request))
          .isInstanceOf(SendResult.Unknown.class);
    }
  }

  private WebhookChannel sender() {
    return channel(Optional.of(url()), Duration.ofSeconds(30));
  }

  private URI url() {
    return URI.create("http://127.0.0.1:" + receiver.getAddress().getPort() + "/hook");
  }

  private void receive(HttpHandler handler) {
    receiver.createContext("/hook", handler);
  }

  private static void answer(HttpExchange exchange, int status, String body) throws IOException {
    byte[] bytes = body.getBytes(UTF_8);
    exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  private RawClient.Reply post(String body) {
    return signed(body, NOW, SECRET).post(PATH, body);
  }

  private RawClient signed(String body, Instant at, String secret) {
    String seconds = Long.toString(at.getEpochSecond());
    return client()
        .with(WebhookChannel.TIMESTAMP, seconds)
        .with(WebhookChannel.SIGNATURE, opensslSignature(seconds, body, secret));
  }

  private RawClient client() {
    return new RawClient(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), listener.port()), Map.of());
  }

  /** The signature as a program of another author makes it. */
  private static String opensslSignature(String seconds, String body, String secret) {
    return opensslSignature(seconds, body.getBytes(UTF_8), secret);
  }

  private static String opensslSignature(String seconds, byte[] body, String secret) {
    try {
      Path file = Files.createTempFile("body", ".bin");
      Files.writeString(file, seconds + ".");
      Files.write(file, body, StandardOpenOption.APPEND);
      Process openssl =
          new ProcessBuilder("openssl", "dgst", "-sha256", "-hmac", secret, "-r", file.toString())
              .start();
      String out = new String(openssl.getInputStream().readAllBytes(), UTF_8);
      Files.delete(file);
      return "v1=" + out.substring(0, 64);
    } catch (IOException e) {
      assumeTrue(false, "openssl is missing");
      throw new UncheckedIOException(e);
    }
  }
}
