package dev.midcourse.autopilot.forge;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Predicate;

/**
 * Stands between Midcourse and a forge, and passes everything on except where a test wants a fault:
 * a request that the forge never gets, or an answer that Midcourse never gets.
 */
public final class FaultProxy implements AutoCloseable {
  private static final Set<String> OWN_HEADERS =
      Set.of("host", "connection", "content-length", "transfer-encoding", "upgrade", "date");

  /**
   * A request.
   *
   * @param path with its query
   */
  public record Seen(String method, String path, String body) {}

  /** What happens to a request. */
  private sealed interface Fault {
    /** The forge does not get it. */
    record Refuse(int status, Map<String, String> headers) implements Fault {}

    /** The forge gets it, and its answer is lost. */
    record LoseAnswer() implements Fault {}
  }

  private record Rule(Predicate<Seen> when, Fault fault) {}

  private final URI forge;
  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final List<Seen> seen = new CopyOnWriteArrayList<>();

  /** Guarded by itself. Each rule holds for one request. */
  private final List<Rule> rules = new ArrayList<>();

  /**
   * @param forge scheme, host and port of the forge
   */
  public FaultProxy(URI forge) throws IOException {
    this.forge = forge;
    this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::handle);
    server.setExecutor(threads);
    server.start();
  }

  /** The address of the forge as Midcourse sees it. */
  public URI url() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  /** The next request of this kind is answered by this status, and the forge does not get it. */
  public void refuseNext(Predicate<Seen> request, int status, Map<String, String> headers) {
    add(new Rule(request, new Fault.Refuse(status, headers)));
  }

  /** The forge does what the next request of this kind asks for, and nobody hears of it. */
  public void loseNextAnswer(Predicate<Seen> request) {
    add(new Rule(request, new Fault.LoseAnswer()));
  }

  private void add(Rule rule) {
    synchronized (rules) {
      rules.add(rule);
    }
  }

  /** Drops the faults that have not happened yet. */
  public void forgetFaults() {
    synchronized (rules) {
      rules.clear();
    }
  }

  /** Whether there is a fault that has not happened yet. */
  public boolean hasFaults() {
    synchronized (rules) {
      return !rules.isEmpty();
    }
  }

  /** All requests, the first one first. */
  public List<Seen> seen() {
    return List.copyOf(seen);
  }

  private Optional<Fault> next(Seen request) {
    synchronized (rules) {
      for (Rule rule : rules) {
        if (rule.when().test(request)) {
          rules.remove(rule);
          return Optional.of(rule.fault());
        }
      }
      return Optional.empty();
    }
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] body = exchange.getRequestBody().readAllBytes();
      URI target = exchange.getRequestURI();
      String query = target.getRawQuery() == null ? "" : "?" + target.getRawQuery();
      Seen request =
          new Seen(
              exchange.getRequestMethod(),
              target.getRawPath() + query,
              new String(body, java.nio.charset.StandardCharsets.UTF_8));
      seen.add(request);
      Optional<Fault> fault = next(request);
      if (fault.isPresent() && fault.get() instanceof Fault.Refuse(int status, var headers)) {
        headers.forEach(exchange.getResponseHeaders()::set);
        exchange.sendResponseHeaders(status, -1);
        return;
      }
      HttpResponse<byte[]> answer = pass(exchange, request, body);
      if (fault.isPresent()) {
        return;
      }
      answer
          .headers()
          .map()
          .forEach((name, values) -> {
            if (!name.startsWith(":") && !OWN_HEADERS.contains(name.toLowerCase(Locale.ROOT))) {
              exchange
                  .getResponseHeaders()
                  .put(name, values.stream().map(this::ownAddress).toList());
            }
          });
      boolean hasBody = answer.body().length > 0;
      exchange.sendResponseHeaders(answer.statusCode(), hasBody ? answer.body().length : -1);
      if (hasBody) {
        exchange.getResponseBody().write(answer.body());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Addresses in headers, such as the next page, lead here. */
  private String ownAddress(String value) {
    return value.replace(forge.toString(), url().toString());
  }

  private HttpResponse<byte[]> pass(HttpExchange exchange, Seen request, byte[] body)
      throws IOException, InterruptedException {
    HttpRequest.Builder passed =
        HttpRequest.newBuilder(forge.resolve(request.path()))
            .method(request.method(), HttpRequest.BodyPublishers.ofByteArray(body));
    exchange
        .getRequestHeaders()
        .forEach((name, values) -> {
          if (!OWN_HEADERS.contains(name.toLowerCase(Locale.ROOT))) {
            values.forEach(value -> passed.header(name, value));
          }
        });
    return client.send(passed.build(), HttpResponse.BodyHandlers.ofByteArray());
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
    client.shutdownNow();
  }
}
