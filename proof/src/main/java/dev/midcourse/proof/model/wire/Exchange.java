package dev.midcourse.proof.model.wire;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.zip.GZIPInputStream;
import tools.jackson.databind.JsonNode;

/** One HTTP call and its response: a JSON document, or a stream of server-sent events. */
public final class Exchange {
  private final HttpExchange http;
  private final String path;

  /**
   * @param path the path below the lane's address
   */
  public Exchange(HttpExchange http, String path) {
    this.http = http;
    this.path = path;
  }

  public String path() {
    return path;
  }

  public String method() {
    return http.getRequestMethod();
  }

  public String body() throws IOException {
    try (InputStream in = http.getRequestBody()) {
      boolean zipped = "gzip".equals(http.getRequestHeaders().getFirst("Content-Encoding"));
      var bytes = (zipped ? new GZIPInputStream(in) : in).readAllBytes();
      return new String(bytes, StandardCharsets.UTF_8);
    }
  }

  public void header(String name, String value) {
    http.getResponseHeaders().set(name, value);
  }

  public void json(int status, JsonNode node) throws IOException {
    header("Content-Type", "application/json");
    var bytes = node.toString().getBytes(StandardCharsets.UTF_8);
    boolean empty = method().equals("HEAD");
    http.sendResponseHeaders(status, empty ? -1 : bytes.length);
    if (!empty) {
      http.getResponseBody().write(bytes);
    }
    http.close();
  }

  /** Starts the response as a stream of events. */
  Events events() throws IOException {
    header("Content-Type", "text/event-stream");
    header("Cache-Control", "no-cache");
    http.sendResponseHeaders(200, 0);
    return new Events(http.getResponseBody());
  }

  /** Breaks the connection, at any state of the response. */
  public void cut() {
    http.close();
  }

  /** Writes events one by one. Each event is sent when the method returns. */
  static final class Events {
    private final OutputStream out;

    Events(OutputStream out) {
      this.out = out;
    }

    void send(String event, JsonNode data) throws IOException {
      write("event: " + event + "\ndata: " + data + "\n\n");
    }

    void send(JsonNode data) throws IOException {
      write("data: " + data + "\n\n");
    }

    void send(String data) throws IOException {
      write("data: " + data + "\n\n");
    }

    void end() throws IOException {
      out.close();
    }

    private void write(String text) throws IOException {
      out.write(text.getBytes(StandardCharsets.UTF_8));
      out.flush();
    }
  }
}
