package dev.midcourse.channels.mail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.midcourse.channels.Channel;
import dev.midcourse.channels.ChannelStatus;
import dev.midcourse.channels.connection.ProcessLocks;
import dev.midcourse.channels.fixture.MapConfig;
import dev.midcourse.channels.fixture.MemoryState;
import dev.midcourse.channels.fixture.RecordingListener;
import dev.midcourse.channels.kind.ChannelContext;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The channel against a real Dovecot. */
@Tag("setup")
class MailDovecotTest {
  @TempDir Path folder;

  private final RecordingListener listener = RecordingListener.likeTheLedger();
  private final MemoryState state = new MemoryState();
  private final ProcessLocks locks = new ProcessLocks();
  private Optional<Dovecot> server = Optional.empty();
  private Optional<Channel> channel = Optional.empty();

  @BeforeEach
  void begin() throws Exception {
    server = Optional.of(new Dovecot(folder, Dovecot.WITHOUT_TLS));
    channel = Optional.of(open());
  }

  @AfterEach
  void end() {
    channel.ifPresent(Channel::close);
    server.ifPresent(Dovecot::close);
  }

  private Dovecot server() {
    return server.orElseThrow();
  }

  private Channel open() {
    return new MailKind()
        .open(
            MapConfig.of(
                "post",
                Map.of(
                    "address", Mails.BOT,
                    "imap", "127.0.0.1:" + server().port(),
                    "smtp", "127.0.0.1:1",
                    "imap_security", "none",
                    "smtp_security", "none",
                    "password", Dovecot.PASSWORD,
                    "authserv_id", "mx.example.org",
                    "poll", "PT2S")),
            new ChannelContext(InstantSource.system(), state, locks, folder));
  }

  private void received(int count) {
    await().atMost(Duration.ofMinutes(1)).until(() -> listener.messages().size() >= count);
    assertThat(listener.messages()).hasSize(count);
  }

  @Test
  void idle_is_renewed_and_flags_stay_and_new_numbers_have_no_second_effect() throws Exception {
    server().deliver("0.old.host", Mails.ofAnn("<0@x>", "Old"));
    channel.orElseThrow().start(listener);
    await().atMost(Duration.ofMinutes(1)).until(() -> state.get(MailReceiver.CURSOR).isPresent());
    server().deliver("1.one.host", Mails.ofAnn("<1@x>", "One"));
    received(1);
    server().deliver("2.two.host", Mails.ofAnn("<2@x>", "Two"));
    received(2);
    assertThat(listener.deliveries()).as("the last mail is not taken again").isEqualTo(2);
    try (var files = Files.list(folder.resolve("mail/cur"))) {
      assertThat(files.map(it -> it.getFileName().toString()))
          .as("no mail is marked as read")
          .noneMatch(it -> it.substring(it.indexOf(":2,") + 3).contains("S"));
    }
    server().stop();
    await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> channel.orElseThrow().status() instanceof ChannelStatus.Retrying);
    String before = state.get(MailReceiver.CURSOR).orElseThrow();
    Files.deleteIfExists(folder.resolve("mail/dovecot-uidlist"));
    Files.deleteIfExists(folder.resolve("mail/dovecot.index"));
    Files.deleteIfExists(folder.resolve("mail/dovecot.index.log"));
    Files.deleteIfExists(folder.resolve("mail/dovecot.index.cache"));
    Files.deleteIfExists(folder.resolve("mail/dovecot-uidvalidity"));
    server().deliver("3.three.host", Mails.ofAnn("<3@x>", "Three"));
    server().start();
    await().atMost(Duration.ofMinutes(1)).until(() -> listener.bareTexts().contains("Three"));
    assertThat(listener.bareTexts())
        .as("the mail from before the channel was set up may come, others have no second effect")
        .containsOnlyOnce("One", "Two", "Three");
    assertThat(state.get(MailReceiver.CURSOR).orElseThrow().split(" ", -1)[0])
        .isNotEqualTo(before.split(" ", -1)[0]);
  }
}
