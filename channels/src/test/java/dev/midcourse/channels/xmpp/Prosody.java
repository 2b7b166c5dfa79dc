package dev.midcourse.channels.xmpp;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.midcourse.channels.fixture.Program;
import dev.midcourse.channels.fixture.TestCertificate;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** A real server in a folder of its own. */
final class Prosody implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofMinutes(1);
  private static final Path PROGRAM = Path.of("/usr/bin/prosody");

  private static final String WITHOUT_TLS =
      """
      modules_disabled = { "s2s", "tls" }
      c2s_require_encryption = false
      allow_unencrypted_plain_auth = true
      """;

  private final Path folder;
  private final String security;
  private final int port;
  private Program program;

  /** Skips the test if Prosody is not installed. */
  Prosody(Path folder) {
    this(folder, Optional.empty());
  }

  /** A server that wants TLS if it has a certificate. */
  Prosody(Path folder, Optional<TestCertificate> certificate) {
    assumeTrue(Files.isExecutable(PROGRAM), "Prosody is not installed; ./verify does it");
    this.folder = folder;
    this.security = certificate.map(Prosody::withTls).orElse(WITHOUT_TLS);
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    write();
    for (String name : new String[] {"midcourse", "ann", "eve"}) {
      Program register =
          Program.start(
              folder,
              "/usr/bin/prosodyctl",
              "--root",
              "--config",
              folder.resolve("prosody.cfg.lua").toString(),
              "register",
              name,
              "localhost",
              name + "-password");
      await().atMost(TIMEOUT).until(() -> !register.isAlive());
    }
    program = start();
  }

  int port() {
    return port;
  }

  void restart() {
    program.close();
    program = start();
  }

  private Program start() {
    Program started =
        Program.start(
            folder,
            PROGRAM.toString(),
            "--root",
            "-F",
            "--config",
            folder.resolve("prosody.cfg.lua").toString());
    await()
        .atMost(TIMEOUT)
        .ignoreExceptions()
        .until(() -> {
          try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1_000);
            return true;
          }
        });
    return started;
  }

  private static String withTls(TestCertificate certificate) {
    return """
    modules_disabled = { "s2s" }
    c2s_require_encryption = true
    allow_unencrypted_plain_auth = false
    ssl = { certificate = "%s"; key = "%s" }
    """
        .formatted(certificate.file(), certificate.key());
  }

  private void write() {
    String settings =
        """
        run_as_root = true
        pidfile = "%1$s/prosody.pid"
        data_path = "%1$s/data"
        plugin_paths = {}
        c2s_ports = { %2$d }
        c2s_interfaces = { "127.0.0.1" }
        s2s_ports = {}
        http_ports = {}
        https_ports = {}
        modules_enabled = { "roster", "saslauth", "disco", "ping", "mam", "carbons", "tls" }
        %3$s
        authentication = "internal_plain"
        archive_expires_after = "never"
        log = { info = "*console" }
        VirtualHost "localhost"
        Component "rooms.localhost" "muc"
          modules_enabled = { "muc_mam" }
          muc_log_by_default = true
        """
            .formatted(folder, port, security);
    try {
      Files.createDirectories(folder.resolve("data"));
      Files.writeString(folder.resolve("prosody.cfg.lua"), settings);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    program.close();
  }
}
