package dev.midcourse.proof.crash.chat;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.midcourse.core.json.JsonReader;
import dev.midcourse.core.json.JsonValue;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.function.Consumer;

/** The platform to which hubs send. It takes every request and remembers it with its id. */
final class RecordingPlatform implements AutoCloseable {
  /**
   * A request of a hub.
   *
   * @param channel the path to which it came
   * @param key its idempotency key
   */
  record Post(String channel, String key, JsonValue.Obj body) {
    String type() {
      return body.string("type").orElse("");
    }

    String chat() {
      return body.string("chat").orElse("");
    }
  }

  private final HttpServer server;
  private final Consumer<Post> listener;

  /** Guarded by itself. */
  private final List<Post> posts = new ArrayList<>();

  RecordingPlatform(Consumer<Post> listener) throws IOException {
    this.listener = listener;
    this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", this::take);
    server.start();
  }

  URI url() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  /** Every request, in the order in which the platform got them. */
  List<Post> posts() {
    synchronized (posts) {
      return List.copyOf(posts);
    }
  }

  /** Takes a request whole or not at all: one that a killed hub did not finish is none. */
  private void take(HttpExchange exchange) throws IOException {
    try (exchange) {
      String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
      String key = exchange.getRequestHeaders().getFirst("Idempotency-Key");
      String channel = exchange.getRequestURI().getPath().substring(1);
      Post post = new Post(channel, key == null ? "" : key, JsonReader.readObject(body));
      synchronized (posts) {
        posts.add(post);
      }
      listener.accept(post);
      byte[] answer = ("{\"message_id\":\"p-" + key + "\"}").getBytes(UTF_8);
      exchange.sendResponseHeaders(200, answer.length);
      exchange.getResponseBody().write(answer);
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
