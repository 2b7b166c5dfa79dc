package dev.midcourse.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A forge with one repository and the open change 42, which answers what a plan asks of Gitea, and
 * counts what is written.
 */
final class PlanForge implements AutoCloseable {
  private final HttpServer server;
  private final ExecutorService threads;
  private final String head;
  private final AtomicInteger writes = new AtomicInteger();

  private PlanForge(HttpServer server, String head) {
    this.server = server;
    this.threads = Executors.newVirtualThreadPerTaskExecutor();
    this.head = head;
  }

  /** Starts a forge whose change has this head. */
  static PlanForge start(String head) throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    PlanForge forge = new PlanForge(server, head);
    server.createContext("/", forge::answer);
    server.setExecutor(forge.threads);
    server.start();
    return forge;
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  int writes() {
    return writes.get();
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      if (!exchange.getRequestMethod().equals("GET")) {
        writes.incrementAndGet();
      }
      String path = exchange.getRequestURI().getPath().replace("/api/v1", "");
      boolean missing = path.startsWith("/repos/acme/shop/pulls/43");
      byte[] body = (missing ? "{}" : json(path)).getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      exchange.sendResponseHeaders(missing ? 404 : 200, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  private String json(String path) {
    return switch (path) {
      case "/version" -> "{\"version\": \"1.22.0\"}";
      case "/user" -> "{\"id\": 1, \"login\": \"midcourse-bot\"}";
      case "/repos/acme/shop" -> "{\"permissions\": {\"push\": true}}";
      case "/repos/acme/shop/pulls/42" ->
          """
          {"number": 42, "state": "open", "title": "Feature", "body": "",
           "head": {"ref": "feature", "sha": "%s", "repo_id": 1},
           "base": {"ref": "main", "sha": "%s", "repo_id": 1}}
          """
              .formatted(head, head);
      default -> "[]";
    };
  }

  @Override
  public void close() {
    server.stop(0);
    threads.close();
  }
}
