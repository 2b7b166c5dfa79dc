package dev.midcourse.channels.mail;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A real IMAP server with one mailbox, in a folder of its own. */
final class Dovecot implements AutoCloseable {
  static final String PASSWORD = "the-password";

  /** The password is allowed without TLS, which the server does not have. */
  static final String WITHOUT_TLS = "ssl = no\ndisable_plaintext_auth = no\n";

  private static final Path PROGRAM = Path.of("/usr/sbin/dovecot");

  private final Path folder;
  private final int port;
  private Optional<Process> server = Optional.empty();

  /**
   * Skips the test if Dovecot is not installed.
   *
   * @param settings lines about TLS, and about logins besides that with the password
   */
  Dovecot(Path folder, String settings) throws Exception {
    assumeTrue(Files.isExecutable(PROGRAM), "dovecot is not installed; ./verify does it as root");
    assumeTrue(
        "root".equals(System.getProperty("user.name")), "dovecot needs root for its mail users");
    this.folder = folder;
    try (ServerSocket socket = new ServerSocket(0)) {
      port = socket.getLocalPort();
    }
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    for (String part : List.of("new", "tmp", "cur")) {
      Files.createDirectories(folder.resolve("mail").resolve(part));
    }
    Files.writeString(
        folder.resolve("dovecot.conf"),
        """
        base_dir = %1$s/run
        state_dir = %1$s/state
        log_path = %1$s/dovecot.log
        protocols = imap
        listen = 127.0.0.1
        first_valid_uid = 0
        mail_location = maildir:%1$s/mail
        %3$s
        passdb {
          driver = static
          mechanisms = plain login
          args = password=%4$s
        }
        userdb {
          driver = static
          args = uid=mail gid=mail home=%1$s
        }
        service imap-login {
          inet_listener imap {
            port = %2$d
          }
          inet_listener imaps {
            port = 0
          }
        }
        """
            .formatted(folder, port, settings, PASSWORD));
    own();
    start();
  }

  int port() {
    return port;
  }

  private void own() throws Exception {
    Process own = new ProcessBuilder("chown", "-R", "mail:mail", folder + "/mail").start();
    if (own.waitFor() != 0) {
      throw new IOException("chown has failed");
    }
  }

  void start() throws IOException {
    server =
        Optional.of(
            new ProcessBuilder(
                    PROGRAM.toString(), "-F", "-c", folder.resolve("dovecot.conf").toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("output").toFile())
                .start());
    await()
        .atMost(Duration.ofMinutes(1))
        .ignoreExceptions()
        .until(() -> {
          new Socket(InetAddress.getLoopbackAddress(), port).close();
          return true;
        });
  }

  void stop() {
    server.ifPresent(it -> {
      List<ProcessHandle> all = it.descendants().toList(); // a connection outlives the server
      it.destroy();
      it.onExit().orTimeout(1, TimeUnit.MINUTES).join();
      all.forEach(ProcessHandle::destroyForcibly);
    });
  }

  /** Puts a mail where a delivery agent would. */
  void deliver(String name, Mails mail) throws Exception {
    Path file = Files.write(folder.resolve("mail/tmp/" + name), mail.bytes());
    own();
    Files.move(file, folder.resolve("mail/new/" + name));
  }

  @Override
  public void close() {
    stop();
  }
}
