package dev.midcourse.gateway.process;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.midcourse.agents.process.ProcessHost;
import dev.midcourse.gateway.record.AttemptKey;
import dev.midcourse.gateway.record.RouteFolder;
import dev.midcourse.gateway.record.RouteSpec;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GatewayProcessTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  private final AttemptKey key = AttemptKey.fresh();
  private final List<ProcessHost> hosts = new ArrayList<>();
  private final List<GatewayProcess> gateways = new ArrayList<>();

  @TempDir Path temporary;

  private GatewayFolder folder;
  private ServerSocket provider;

  @BeforeEach
  void setUp() throws IOException {
    folder = GatewayFolder.open(temporary.resolve("gateway"));
    provider = new ServerSocket(0, 50, InetAddress.ofLiteral("127.0.0.1"));
    Thread.ofVirtual().start(this::answerAll);
    RouteFolder.open(folder.routes())
        .put(
            key,
            new RouteSpec(
                "http://127.0.0.1:" + provider.getLocalPort(), temporary.resolve("records.jsonl")));
  }

  /** Begins each answer, and ends none. */
  private void answerAll() {
    while (!provider.isClosed()) {
      try {
        Socket socket = provider.accept();
        socket.getInputStream().read();
        socket
            .getOutputStream()
            .write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nbegin".getBytes(UTF_8));
      } catch (IOException closed) {
        return;
      }
    }
  }

  @AfterEach
  void endAll() throws Exception {
    if (!gateways.isEmpty()) {
      gateways.getLast().end();
    }
    for (ProcessHost host : hosts) {
      host.close();
    }
    provider.close();
  }

  private GatewayProcess open() throws Exception {
    ProcessHost host = ProcessHost.open();
    hosts.add(host);
    GatewayProcess gateway = GatewayProcess.open(host, folder);
    gateways.add(gateway);
    return gateway;
  }

  /** Seen to fail when a hub starts a gateway without looking for one. */
  @Test
  void the_next_hub_adopts_the_gateway_with_its_connections() throws Exception {
    GatewayProcess first = open();
    try (Socket agent = ask(first.port())) {
      assertThat(begin(agent)).startsWith("HTTP/1.1 200 OK");
      first.close();
      hosts.getFirst().close();
      GatewayProcess next = open();
      assertThat(next.port()).isEqualTo(first.port());
      assertThat(next.pid()).isEqualTo(first.pid());
      agent.setSoTimeout(300);
      assertThatThrownBy(() -> agent.getInputStream().read()).hasMessageContaining("timed out");
    }
  }

  /** Seen to fail when the gateway listens on another port each time. */
  @Test
  void a_gateway_that_is_killed_in_a_stream_comes_back_on_its_port_and_knows_its_routes()
      throws Exception {
    GatewayProcess gateway = open();
    int port = gateway.port();
    for (int i = 0; i < 2; i++) {
      long pid = gateway.pid();
      try (Socket agent = ask(port)) {
        assertThat(begin(agent)).startsWith("HTTP/1.1 200 OK");
        ProcessHandle.of(pid).orElseThrow().destroyForcibly();
        assertThat(readsEnd(agent)).isTrue();
      }
      await().atMost(TIMEOUT).until(() -> gateway.pid() != pid);
      try (Socket agent = ask(port)) {
        assertThat(begin(agent)).startsWith("HTTP/1.1 200 OK");
      }
    }
    assertThat(gateway.port()).isEqualTo(port);
  }

  @Test
  void the_state_is_for_this_user_only() throws Exception {
    open();
    assertThat(mode(folder.path())).isEqualTo("rwx------");
    assertThat(mode(folder.path().resolve("state.json"))).isEqualTo("rw-------");
    assertThat(mode(folder.routes())).isEqualTo("rwx------");
    assertThat(mode(folder.socket())).isEqualTo("rw-------");
  }

  @Test
  void a_gateway_that_cannot_start_says_why() throws Exception {
    ProcessHost host = ProcessHost.open();
    hosts.add(host);
    assertThatThrownBy(() ->
            GatewayProcess.open(
                host, folder, List.of("/bin/sh", "-c", "echo no memory >&2; exit 1")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("no memory");
  }

  private static String mode(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }

  private Socket ask(int port) throws IOException {
    Socket agent = new Socket(InetAddress.ofLiteral("127.0.0.1"), port);
    agent.setSoTimeout((int) TIMEOUT.toMillis());
    agent
        .getOutputStream()
        .write(("GET /" + key.secret() + "/v1/models HTTP/1.1\r\nHost: x\r\n\r\n").getBytes(UTF_8));
    return agent;
  }

  private static String begin(Socket agent) throws IOException {
    return new String(agent.getInputStream().readNBytes(44), UTF_8);
  }

  private static boolean readsEnd(Socket agent) {
    try {
      return agent.getInputStream().read() < 0;
    } catch (IOException reset) {
      return true;
    }
  }
}
