package dev.midcourse.channels.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.midcourse.channels.kind.ChannelSecret;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@SuppressWarnings("NullAway.Init")
class PlatformClientTest {
  private static final Duration LONG = Duration.ofSeconds(30);

  @TempDir Path folder;
  private final List<String> authorizations = new CopyOnWriteArrayList<>();
  private final CountDownLatch end = new CountDownLatch(1);
  private HttpServer server;
  private PlatformClient client;

  @BeforeEach
  void open() throws IOException {
    client = new PlatformClient(List.of(new ChannelSecret("s3cret/token")));
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext(
        "/file",
        exchange -> {
          authorizations.add(String.valueOf(exchange.getRequestHeaders().getFirst("X-Token")));
          exchange.sendResponseHeaders(200, 4);
          exchange.getResponseBody().write("file".getBytes(UTF_8));
          exchange.close();
        });
    server.createContext(
        "/slow",
        exchange -> {
          exchange.sendResponseHeaders(200, 1_000);
          exchange.getResponseBody().write("the beginning".getBytes(UTF_8));
          exchange.getResponseBody().flush();
          await();
          exchange.close();
        });
    server.createContext(
        "/moved",
        exchange -> {
          String port = exchange.getRequestURI().getQuery();
          exchange.getResponseHeaders().add("Location", "http://localhost:" + port + "/file");
          exchange.sendResponseHeaders(302, -1);
          exchange.close();
        });
    server.start();
  }

  private void await() {
    try {
      end.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @AfterEach
  void close() {
    end.countDown();
    client.close();
    server.stop(0);
  }

  private URI at(String path) {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + path);
  }

  private void download(String path, long maxBytes, Duration timeout) throws Exception {
    client.download(
        at(path),
        List.of("X-Token", "s3cret/token"),
        host -> List.of("127.0.0.1", "localhost").contains(host.getHost()),
        folder.resolve("target"),
        maxBytes,
        timeout);
  }

  @Test
  void a_body_that_does_not_arrive_is_given_up_and_leaves_no_file() {
    assertThatThrownBy(() -> download("/slow", 1_000, Duration.ofSeconds(1)))
        .isInstanceOf(IOException.class);
    assertThat(folder).isEmptyDirectory();
  }

  /** Seen to fail when a part of a file stays. */
  @Test
  void a_file_that_is_too_large_leaves_nothing() {
    assertThatThrownBy(() -> download("/file", 3, LONG)).hasMessageContaining("more than 3 bytes");
    assertThat(folder).isEmptyDirectory();
  }

  /** Seen to fail when the headers go to each host. */
  @Test
  void another_host_after_a_redirect_gets_no_secret() throws Exception {
    download("/moved?" + server.getAddress().getPort(), 100, LONG);
    assertThat(folder.resolve("target")).hasContent("file");
    assertThat(authorizations).containsExactly("null");
  }

  /** Seen to fail when a failure names the secrets. */
  @Test
  void a_failure_names_no_secret_and_says_whether_the_request_may_have_arrived() {
    HttpRequest refused =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:1/s3cret/token/x")).build();
    assertThatThrownBy(() -> client.send(refused, LONG))
        .isInstanceOfSatisfying(
            PlatformException.class, e -> assertThat(e.mayHaveArrived()).isFalse())
        .hasMessageNotContaining("s3cret");
    HttpRequest slow = HttpRequest.newBuilder(at("/slow")).build();
    assertThatThrownBy(() -> client.send(slow, Duration.ofMillis(300)))
        .isInstanceOfSatisfying(
            PlatformException.class, e -> assertThat(e.mayHaveArrived()).isTrue());
  }
}
