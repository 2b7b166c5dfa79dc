package dev.midcourse.hub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.hub.RawClient.Reply;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A hub process that may open few files, and a client that opens more connections than that. */
@Tag("slow")
class ConnectionFloodTest {
  private static final int OPEN_FILES = 512;
  private static final int CONNECTIONS = 700;
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  @TempDir Path folder;

  /** Seen to fail when an endpoint may take more connections than there are descriptors. */
  @Test
  void connections_over_tcp_take_nothing_from_the_socket_the_agents_and_other_clients()
      throws Exception {
    Path data = Files.createDirectory(folder.resolve("data"));
    try (HubProcess hub = HubProcess.startWithOpenFiles(OPEN_FILES, data, "--port", "0").up();
        Flood flood = new Flood(URI.create(hub.url()).getPort())) {
      flood.open();
      assertWorks(hub, data, "during");
      flood.close();
      assertWorks(hub, data, "after");
    }
  }

  /** Seen to fail, because the hub could load no classes, when clients take all descriptors. */
  @Test
  void a_hub_that_is_flooded_before_its_first_request_works_too() throws Exception {
    Path data = Files.createDirectory(folder.resolve("data"));
    int port = freePort();
    try (Flood flood = new Flood(port);
        HubProcess hub =
            HubProcess.startWithOpenFiles(OPEN_FILES, data, "--port", Integer.toString(port))) {
      Awaitility.await().atMost(TIMEOUT).ignoreExceptions().until(flood::open);
      assertWorks(hub.up(), data, "during");
      flood.close();
      assertWorks(hub, data, "after");
    }
  }

  /** The socket, a run with an agent process, and TCP with the token. */
  private static void assertWorks(HubProcess hub, Path data, String run) throws IOException {
    RawClient person = hub.client();
    Reply created =
        person.post(
            "/api/v1/runs",
            "{\"run_id\":\"%s\",\"prompt\":\"$ echo ok\",\"agent\":\"rehearsal\"}".formatted(run));
    assertThat(created.status()).as(created.body()).isEqualTo(201);
    Reply ended = person.get("/api/v1/runs/" + run + "?wait=end&timeout=60s");
    assertThat(ended.text("state")).as(ended.body()).isEqualTo("done");
    RawClient remote =
        new RawClient(
            new InetSocketAddress(
                InetAddress.getLoopbackAddress(), URI.create(hub.url()).getPort()),
            Map.of("Authorization", "Bearer " + Files.readString(data.resolve("token")).strip()));
    assertThat(remote.get("/api/v1/health").status()).isEqualTo(200);
  }

  private static int freePort() throws IOException {
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return free.getLocalPort();
    }
  }

  /** Connections that say nothing. */
  private static final class Flood implements AutoCloseable {
    private final InetSocketAddress hub;
    private final List<SocketChannel> connections = new ArrayList<>();

    Flood(int port) {
      this.hub = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    /** Opens the rest of them; fails as long as the hub does not listen. */
    boolean open() throws IOException {
      while (connections.size() < CONNECTIONS) {
        connections.add(SocketChannel.open(hub));
      }
      return true;
    }

    @Override
    public void close() throws IOException {
      for (SocketChannel connection : connections) {
        connection.close();
      }
      connections.clear();
    }
  }
}
