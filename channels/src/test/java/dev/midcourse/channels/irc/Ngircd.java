package dev.midcourse.channels.irc;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.midcourse.channels.fixture.Program;
import dev.midcourse.channels.fixture.TestCertificate;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;

/** A real server without services, in a folder of its own. */
final class Ngircd implements AutoCloseable {
  private final Program program;
  private final int port;

  /**
   * Skips the test if ngIRCd is not installed.
   *
   * @param settings lines that are added to the section Global
   */
  Ngircd(Path folder, String settings, Optional<TestCertificate> certificate) throws IOException {
    Optional<Path> found =
        Stream.of("/usr/sbin/ngircd", "/usr/bin/ngircd")
            .map(Path::of)
            .filter(Files::isExecutable)
            .findFirst();
    assumeTrue(found.isPresent(), "ngircd is not installed; ./verify does it");
    this.port = freePort();
    Path file =
        Files.writeString(
            folder.resolve("ngircd.conf"),
            """
            [Global]
              Name = irc.test
              Info = Test
              AdminInfo1 = Test
              Listen = 127.0.0.1
              Ports = %d
              ServerGID = 65534
              ServerUID = 65534
              MotdPhrase = "Hello"
              %s
            [Limits]
              MaxConnectionsIP = 0
            [Options]
              DNS = no
              Ident = no
              PAM = no
            %s
            """
                .formatted(
                    certificate.isPresent() ? freePort() : port,
                    settings,
                    certificate.map(it -> tls(it, port)).orElse("")));
    this.program = Program.start(folder, found.get().toString(), "-n", "-f", file.toString());
    awaitPort(port);
  }

  private static String tls(TestCertificate certificate, int port) {
    return """
    [SSL]
      CertFile = %s
      KeyFile = %s
      Ports = %d
    """
        .formatted(certificate.file(), certificate.key(), port);
  }

  /** The port for TLS if there is a certificate. */
  int port() {
    return port;
  }

  static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  static void awaitPort(int port) {
    await()
        .atMost(Duration.ofMinutes(1))
        .ignoreExceptions()
        .until(() -> {
          try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1_000);
            return true;
          }
        });
  }

  @Override
  public void close() {
    program.close();
  }
}
