package dev.midcourse.channels.mail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.midcourse.channels.Channel;
import dev.midcourse.channels.ChannelStatus;
import dev.midcourse.channels.connection.ProcessLocks;
import dev.midcourse.channels.fixture.MapConfig;
import dev.midcourse.channels.fixture.MemoryState;
import dev.midcourse.channels.fixture.RecordingListener;
import dev.midcourse.channels.kind.ChannelContext;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The channel against a real Dovecot. */
@Tag("setup")
class MailDovecotTest {
  private static final Path PROGRAM = Path.of("/usr/sbin/dovecot");

  @TempDir Path folder;

  private final RecordingListener listener = RecordingListener.likeTheLedger();
  private final MemoryState state = new MemoryState();
  private final ProcessLocks locks = new ProcessLocks();
  private int port;
  private Optional<Process> server = Optional.empty();
  private Optional<Channel> channel = Optional.empty();

  @BeforeEach
  void begin() throws Exception {
    assumeTrue(Files.isExecutable(PROGRAM), "dovecot is not installed; ./verify does it as root");
    assumeTrue(
        "root".equals(System.getProperty("user.name")), "dovecot needs root for its mail users");
    try (ServerSocket socket = new ServerSocket(0)) {
      port = socket.getLocalPort();
    }
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.createDirectories(folder.resolve("mail/new"));
    Files.createDirectories(folder.resolve("mail/tmp"));
    Files.createDirectories(folder.resolve("mail/cur"));
    Files.writeString(
        folder.resolve("dovecot.conf"),
        """
        base_dir = %1$s/run
        state_dir = %1$s/state
        log_path = %1$s/dovecot.log
        protocols = imap
        listen = 127.0.0.1
        ssl = no
        disable_plaintext_auth = no
        first_valid_uid = 0
        mail_location = maildir:%1$s/mail
        passdb {
          driver = static
          args = password=the-password
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
            .formatted(folder, port));
    own();
    startServer();
    channel = Optional.of(open());
  }

  private void own() throws Exception {
    Process own = new ProcessBuilder("chown", "-R", "mail:mail", folder + "/mail").start();
    assertThat(own.waitFor()).isZero();
  }

  private void startServer() throws IOException {
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

  private void stopServer() {
    server.ifPresent(it -> {
      List<ProcessHandle> all = it.descendants().toList(); // a connection outlives the server
      it.destroy();
      it.onExit().orTimeout(20, TimeUnit.SECONDS).join();
      all.forEach(ProcessHandle::destroyForcibly);
    });
  }

  @AfterEach
  void end() {
    channel.ifPresent(Channel::close);
    stopServer();
  }

  private Channel open() {
    return new MailKind()
        .open(
            MapConfig.of(
                "post",
                Map.of(
                    "address", Mails.BOT,
                    "imap", "127.0.0.1:" + port,
                    "smtp", "127.0.0.1:1",
                    "imap_security", "none",
                    "smtp_security", "none",
                    "password", "the-password",
                    "authserv_id", "mx.example.org",
                    "poll", "PT2S")),
            new ChannelContext(InstantSource.system(), state, locks, folder));
  }

  /** Puts a mail where a delivery agent would. */
  private void deliver(String name, Mails mail) throws Exception {
    Path file = Files.write(folder.resolve("mail/tmp/" + name), mail.bytes());
    own();
    Files.move(file, folder.resolve("mail/new/" + name));
  }

  private void received(int count) {
    await().atMost(Duration.ofMinutes(1)).until(() -> listener.messages().size() >= count);
    assertThat(listener.messages()).hasSize(count);
  }

  @Test
  void idle_is_renewed_and_flags_stay_and_new_numbers_have_no_second_effect() throws Exception {
    deliver("0.old.host", Mails.ofAnn("<0@x>", "Old"));
    channel.orElseThrow().start(listener);
    await().atMost(Duration.ofMinutes(1)).until(() -> state.get(MailReceiver.CURSOR).isPresent());
    deliver("1.one.host", Mails.ofAnn("<1@x>", "One"));
    received(1);
    deliver("2.two.host", Mails.ofAnn("<2@x>", "Two"));
    received(2);
    assertThat(listener.deliveries()).as("the last mail is not taken again").isEqualTo(2);
    try (var files = Files.list(folder.resolve("mail/cur"))) {
      assertThat(files.map(it -> it.getFileName().toString()))
          .as("no mail is marked as read")
          .noneMatch(it -> it.substring(it.indexOf(":2,") + 3).contains("S"));
    }
    stopServer();
    await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> channel.orElseThrow().status() instanceof ChannelStatus.Retrying);
    String before = state.get(MailReceiver.CURSOR).orElseThrow();
    Files.deleteIfExists(folder.resolve("mail/dovecot-uidlist"));
    Files.deleteIfExists(folder.resolve("mail/dovecot.index"));
    Files.deleteIfExists(folder.resolve("mail/dovecot.index.log"));
    Files.deleteIfExists(folder.resolve("mail/dovecot.index.cache"));
    Files.deleteIfExists(folder.resolve("mail/dovecot-uidvalidity"));
    deliver("3.three.host", Mails.ofAnn("<3@x>", "Three"));
    startServer();
    await().atMost(Duration.ofMinutes(1)).until(() -> listener.bareTexts().contains("Three"));
    assertThat(listener.bareTexts())
        .as("the mail from before the channel was set up may come, others have no second effect")
        .containsOnlyOnce("One", "Two", "Three");
    assertThat(state.get(MailReceiver.CURSOR).orElseThrow().split(" ", -1)[0])
        .isNotEqualTo(before.split(" ", -1)[0]);
  }
}
