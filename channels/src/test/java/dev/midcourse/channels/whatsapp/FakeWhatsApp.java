package dev.midcourse.channels.whatsapp;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.midcourse.core.json.JsonException;
import dev.midcourse.core.json.JsonReader;
import dev.midcourse.core.json.JsonValue;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;

/**
 * The platform as its documents describe it: refuses a request without the token, and a message
 * that breaks a documented limit. A test may tell it the next answer.
 */
final class FakeWhatsApp implements AutoCloseable {
  static final String TOKEN = "EAAG-token-of-the-test";
  static final String PHONE = "106540352242922";
  private static final int CUT = 0;

  private final HttpServer server;
  private final List<JsonValue.Obj> messages = new CopyOnWriteArrayList<>();
  private final Queue<Answer> answers = new ConcurrentLinkedQueue<>();
  private final List<String> uploads = new CopyOnWriteArrayList<>();

  private record Answer(int status, String body) {}

  FakeWhatsApp() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", this::handle);
    server.start();
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/v23.0";
  }

  /** The messages that were accepted. */
  List<JsonValue.Obj> messages() {
    return messages;
  }

  List<String> uploads() {
    return uploads;
  }

  /** The next request gets this answer. */
  void answerOnce(int status, String body) {
    answers.add(new Answer(status, body));
  }

  void failOnce(int status, long code, String text) {
    answerOnce(
        status,
        "{\"error\":{\"message\":\"(#%1$d) %2$s\",\"type\":\"OAuthException\",\"code\":%1$d,\"error_data\":{\"messaging_product\":\"whatsapp\",\"details\":\"%2$s\"},\"fbtrace_id\":\"x\"}}"
            .formatted(code, text));
  }

  /** The connection of the next request is cut after the request was read. */
  void cutOnce() {
    answers.add(new Answer(CUT, ""));
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] body = exchange.getRequestBody().readAllBytes();
      Answer told = answers.poll();
      if (told != null) {
        if (told.status() != CUT) {
          reply(exchange, told.status(), told.body());
        }
        return;
      }
      boolean isKnown =
          ("Bearer " + TOKEN).equals(exchange.getRequestHeaders().getFirst("Authorization"));
      if (isKnown) {
        answer(exchange, exchange.getRequestURI().getPath(), new String(body, UTF_8));
      } else {
        reply(
            exchange,
            401,
            "{\"error\":{\"message\":\"Invalid OAuth access token " + TOKEN + "\",\"code\":190}}");
      }
    }
  }

  private void answer(HttpExchange exchange, String path, String body) throws IOException {
    if (path.endsWith("/" + PHONE)) {
      reply(exchange, 200, "{\"verified_name\":\"Test\",\"display_phone_number\":\"+1 555 0100\"}");
    } else if (path.endsWith("/media")) {
      uploads.add(body);
      reply(exchange, 200, "{\"id\":\"4490709327384033\"}");
    } else if (path.endsWith("/messages")) {
      takeMessage(exchange, body);
    } else if (path.endsWith("/9001")) {
      reply(
          exchange,
          200,
          "{\"url\":\"%s/content\",\"mime_type\":\"image/png\",\"file_size\":5,\"id\":\"9001\"}"
              .formatted(url()));
    } else if (path.endsWith("/9002")) {
      reply(exchange, 200, "{\"url\":\"https://evil.example.org/x\",\"file_size\":5}");
    } else if (path.endsWith("/content")) {
      reply(exchange, 200, "12345");
    } else {
      reply(exchange, 404, "{\"error\":{\"code\":100,\"message\":\"unknown\"}}");
    }
  }

  private void takeMessage(HttpExchange exchange, String body) throws IOException {
    JsonValue.Obj message;
    try {
      message = JsonReader.readObject(body);
    } catch (JsonException e) {
      reply(exchange, 400, "{\"error\":{\"code\":100,\"message\":\"not JSON\"}}");
      return;
    }
    if (!isValid(message)) {
      reply(exchange, 400, "{\"error\":{\"code\":131009,\"message\":\"Parameter value invalid\"}}");
      return;
    }
    messages.add(message);
    reply(
        exchange,
        200,
        "{\"messaging_product\":\"whatsapp\",\"contacts\":[],\"messages\":[{\"id\":\"wamid.%d\"}]}"
            .formatted(messages.size()));
  }

  private static boolean isValid(JsonValue.Obj message) {
    boolean isTyping = message.string("status").equals(Optional.of("read"));
    boolean isTo = message.string("to").isPresent() != message.string("recipient").isPresent();
    JsonValue.Obj interactive = message.object("interactive");
    JsonValue.Obj action = interactive.object("action");
    List<JsonValue.Obj> rows =
        action.objects("sections").stream().flatMap(one -> one.objects("rows").stream()).toList();
    return message.string("messaging_product").equals(Optional.of("whatsapp"))
        && (isTyping || isTo)
        && message.object("text").string("body").orElse("").length() <= 4_096
        && interactive.object("body").string("text").orElse("").length() <= 1_024
        && action.objects("buttons").size() <= 3
        && action.objects("buttons").stream()
            .allMatch(one -> one.object("reply").string("title").orElse("").length() <= 20)
        && rows.size() <= 10
        && rows.stream().allMatch(row -> row.string("title").orElse("").length() <= 24)
        && rows.stream().allMatch(row -> row.string("description").orElse("").length() <= 72);
  }

  private static void reply(HttpExchange exchange, int status, String body) throws IOException {
    byte[] bytes = body.getBytes(UTF_8);
    exchange.getResponseHeaders().add("Content-Type", "application/json");
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
