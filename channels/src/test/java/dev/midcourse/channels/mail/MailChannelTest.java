package dev.midcourse.channels.mail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.icegreen.greenmail.user.GreenMailUser;
import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.ServerSetup;
import dev.midcourse.channels.Channel;
import dev.midcourse.channels.ChannelRequest;
import dev.midcourse.channels.ChannelStatus;
import dev.midcourse.channels.LookUpResult;
import dev.midcourse.channels.SendResult;
import dev.midcourse.channels.connection.ProcessLocks;
import dev.midcourse.channels.fixture.MapConfig;
import dev.midcourse.channels.fixture.MemoryState;
import dev.midcourse.channels.fixture.RecordingListener;
import dev.midcourse.channels.kind.ChannelCheck;
import dev.midcourse.channels.kind.ChannelContext;
import dev.midcourse.core.Problem;
import dev.midcourse.core.chat.ChannelName;
import dev.midcourse.core.chat.inbound.Attachment;
import dev.midcourse.core.chat.inbound.ChannelNotice;
import dev.midcourse.core.chat.inbound.InboundMessage;
import dev.midcourse.core.chat.outbound.ChatAddress;
import dev.midcourse.core.chat.outbound.OutboundContent.Button;
import dev.midcourse.core.chat.outbound.OutboundId;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeMessage;
import jakarta.mail.internet.MimeMultipart;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The channel against GreenMail, an IMAP and SMTP server of other people. */
class MailChannelTest {
  private static final String PASSWORD = "the-password-of-the-bot";

  @TempDir Path folder;

  private final RecordingListener listener = RecordingListener.likeTheLedger();
  private final MemoryState state = new MemoryState();
  private final ProcessLocks locks = new ProcessLocks();
  private GreenMail server;
  private GreenMailUser mailbox;
  private Channel channel;

  @BeforeEach
  void begin() {
    server =
        new GreenMail(
            new ServerSetup[] {
              new ServerSetup(0, "127.0.0.1", ServerSetup.PROTOCOL_SMTP),
              new ServerSetup(0, "127.0.0.1", ServerSetup.PROTOCOL_IMAP)
            });
    server.start();
    mailbox = server.setUser(Mails.BOT, Mails.BOT, PASSWORD);
    server.setUser(Mails.ANN, Mails.ANN, "hers");
    channel = open(config());
  }

  @AfterEach
  void end() {
    channel.close();
    server.stop();
  }

  private MapConfig config() {
    return MapConfig.of(
        "post",
        Map.of(
            "address",
            Mails.BOT,
            "imap",
            "127.0.0.1:" + server.getImap().getPort(),
            "smtp",
            "127.0.0.1:" + server.getSmtp().getPort(),
            "imap_security",
            "none",
            "smtp_security",
            "none",
            "password",
            PASSWORD,
            "authserv_id",
            "mx.example.org"));
  }

  private ChannelContext context() {
    return new ChannelContext(InstantSource.system(), state, locks, folder);
  }

  /**
   * A wait that ignores exceptions of other threads. GreenMail ends the thread of a connection with
   * an exception when the client closes the connection, and Awaitility would fail the wait for it.
   */
  private static ConditionFactory await() {
    return Awaitility.await().dontCatchUncaughtExceptions();
  }

  private Channel open(MapConfig config) {
    return new MailKind().open(config, context());
  }

  private void start() {
    channel.start(listener);
    await().until(() -> state.get(MailReceiver.CURSOR).isPresent());
  }

  private void deliver(Mails mail) {
    try {
      mailbox.deliver(
          new MimeMessage(MailReader.NO_SESSION, new ByteArrayInputStream(mail.bytes())));
    } catch (jakarta.mail.MessagingException e) {
      throw new IllegalStateException(e);
    }
  }

  private List<InboundMessage> received(int count) {
    await().atMost(Duration.ofMinutes(1)).until(() -> listener.messages().size() >= count);
    assertThat(listener.messages()).hasSize(count);
    return listener.messages();
  }

  private SendResult send(String id, ChannelRequest request) {
    return channel.send(OutboundId.of(id), request);
  }

  private static ChatAddress toAnn(Optional<String> thread) {
    return new ChatAddress(ChannelName.of("post"), Mails.ANN, thread);
  }

  private MimeMessage sent() {
    await().until(() -> server.getReceivedMessagesForDomain("example.com").length > 0);
    return server.getReceivedMessagesForDomain("example.com")[0];
  }

  /** Seen to fail when the first position is the beginning of the mailbox. */
  @Test
  void new_mail_arrives_at_once_and_old_mail_does_not() {
    deliver(Mails.ofAnn("<0@x>", "Old"));
    start();
    deliver(Mails.ofAnn("<1@x>", "Login").text("Fix the login."));

    assertThat(received(1).getFirst().bareText()).isEqualTo("Fix the login.");
    assertThat(channel.status()).isInstanceOf(ChannelStatus.Connected.class);
    assertThat(mailbox).isNotNull();
  }

  /** Seen to fail when the position is stored before the listener has taken the mail. */
  @Test
  void t410_a_mail_that_could_not_be_stored_comes_again() {
    start();
    listener.failOnce(new IllegalStateException("the disk is full"));
    deliver(Mails.ofAnn("<1@x>", "Login").text("Fix it."));

    received(1);
    assertThat(listener.deliveries()).isEqualTo(2);
  }

  /** Seen to fail when every refusal is tried again. */
  @Test
  void a_mail_that_is_refused_for_ever_does_not_hold_up_the_next() {
    start();
    listener.failOnce(Problem.invalid("text", "x", "never").refused());
    deliver(Mails.ofAnn("<1@x>", "Bad"));
    deliver(Mails.ofAnn("<2@x>", "Good"));

    assertThat(received(1).getFirst().text()).isEqualTo("Good");
  }

  /** Seen to fail when each delivery gets a key of its own. */
  @Test
  void a_mail_that_is_delivered_twice_has_one_effect() {
    start();
    deliver(Mails.ofAnn("<1@x>", "Login"));
    deliver(Mails.ofAnn("<1@x>", "Login"));
    deliver(Mails.ofAnn("<2@x>", "Next"));

    received(2);
    assertThat(listener.deliveries()).isEqualTo(3);
  }

  /** Seen to fail when the numbers of "last+1:*" are not compared. */
  @Test
  void t416_the_last_mail_is_not_taken_again_after_a_restart() {
    start();
    deliver(Mails.ofAnn("<1@x>", "One"));
    received(1);
    channel.close();
    channel = open(config().with("poll", "PT0.2S"));
    channel.start(listener);
    await()
        .during(Duration.ofSeconds(1)) // some looks into the mailbox without new mail
        .atMost(Duration.ofMinutes(1))
        .until(() -> listener.deliveries() == 1);
    deliver(Mails.ofAnn("<2@x>", "Two"));

    received(2);
    assertThat(listener.deliveries()).isEqualTo(2);
  }

  /** Seen to fail when the newest mail of a backlog is taken first. */
  @Test
  void a_backlog_arrives_whole_and_in_order() {
    start();
    channel.close();
    channel = open(config().with("max_per_hour", "10000"));
    IntStream.range(0, 200).forEach(i -> deliver(Mails.ofAnn("<" + i + "@x>", "m" + i)));
    channel.start(listener);

    received(200);
    assertThat(listener.bareTexts())
        .containsExactlyElementsOf(IntStream.range(0, 200).mapToObj(i -> "m" + i).toList());
  }

  /** Seen to fail when the mails of a sender are not counted. */
  @Test
  void a_flood_of_one_sender_is_bounded() {
    channel = open(config().with("max_per_hour", "3"));
    start();
    IntStream.range(0, 10).forEach(i -> deliver(Mails.ofAnn("<" + i + "@x>", "m" + i)));
    deliver(Mails.from("bob@example.com", "<b@x>", "mine").top(Mails.PROOF));

    received(4);
    assertThat(listener.bareTexts()).containsExactly("m0", "m1", "m2", "mine");
  }

  /** Seen to fail when an answer does not name the mail that it answers. */
  @Test
  void an_answer_stays_in_the_thread_and_a_reply_to_it_comes_back() throws Exception {
    start();
    deliver(Mails.ofAnn("<1@x>", "Login").text("Fix it."));
    InboundMessage first = received(1).getFirst();
    SendResult result =
        send(
            "out-1",
            new ChannelRequest.SendText(
                toAnn(first.thread()),
                "**Done.** See `a < b`.",
                Optional.of(first.ref().message())));

    MimeMessage mail = sent();
    assertThat(result).isEqualTo(new SendResult.Sent(mail.getMessageID()));
    assertThat(mail.getSubject()).isEqualTo("Re: Login");
    assertThat(mail.getHeader("In-Reply-To")).containsExactly("<1@x>");
    assertThat(mail.getHeader("References")).containsExactly("<1@x>");
    assertThat(mail.getHeader("Auto-Submitted")).containsExactly("auto-replied");
    MimeMultipart both = (MimeMultipart) mail.getContent();
    assertThat(both.getBodyPart(0).getContent().toString()).contains("Done. See `a < b`.");
    assertThat(both.getBodyPart(1).getContent().toString()).contains("<strong>Done.</strong>");
    String replyAddress = ((InternetAddress) mail.getReplyTo()[0]).getAddress();
    deliver(
        Mails.from(Mails.ANN, "<2@x>", "Re: Login")
            .to(replyAddress)
            .header("In-Reply-To: " + mail.getMessageID())
            .text("Thanks.\n\nOn Sunday, Midcourse wrote:\n> Done."));
    InboundMessage reply = received(2).get(1);
    assertThat(reply.sender().identity()).as("proved by the reply address").isPresent();
    assertThat(reply.thread()).isEqualTo(first.thread());
    assertThat(reply.replyTo().orElseThrow().ours()).isTrue();
    assertThat(reply.text()).isEqualTo("Thanks.");
  }

  /** Seen to fail when all answers have one address. */
  @Test
  void a_card_has_an_address_for_each_answer() throws Exception {
    start();
    send(
        "out-1",
        new ChannelRequest.SendCard(
            toAnn(Optional.empty()),
            "May it push?\r\nBcc: eve@example.net",
            "To main.",
            List.of(new Button("k3v9", "Approve"), new Button("x8w2", "Deny"))));
    MimeMessage mail = sent();
    assertThat(mail.getAllRecipients()).as("no header from the text").hasSize(1);
    String text = ((MimeMultipart) mail.getContent()).getBodyPart(0).getContent().toString();
    String address = text.lines().filter(it -> it.contains("+b-k3v9")).findFirst().orElseThrow();
    deliver(Mails.from("eve@example.net", "<e@x>", "answer").to(address));
    deliver(Mails.from(Mails.ANN, "<a@x>", "answer").to(address));

    await().until(() -> !listener.clicks().isEmpty());
    assertThat(listener.clicks())
        .singleElement()
        .satisfies(click -> {
          assertThat(click.button()).isEqualTo("k3v9");
          assertThat(click.sender().identity().orElseThrow().handle()).isEqualTo(Mails.ANN);
        });
  }

  /** Seen to fail when a file is sent under the name that it was given. */
  @Test
  void a_file_is_fetched_up_to_a_size_and_sent_under_a_safe_name() throws Exception {
    start();
    deliver(
        Mails.ofAnn("<1@x>", "File")
            .header("Content-Type: multipart/mixed; boundary=cut")
            .text(
                """
                --cut

                See.
                --cut
                Content-Type: application/pdf; name="../x"

                the content
                --cut--
                """));
    Attachment file = received(1).getFirst().attachments().getFirst();
    Path target = folder.resolve("fetched");
    channel.fetch(file, target, 100);
    assertThat(target).hasContent("the content");
    assertThatThrownBy(() -> channel.fetch(file, folder.resolve("other"), 3))
        .isInstanceOf(IOException.class);
    assertThat(folder.resolve("other")).doesNotExist();
    Path report = Files.writeString(folder.resolve("report.txt"), "all is well");
    send(
        "out-1",
        new ChannelRequest.SendFile(
            toAnn(Optional.empty()), report, "../../re\r\nport.txt", Optional.of("Here.")));
    MimeMultipart parts = (MimeMultipart) sent().getContent();
    assertThat(parts.getBodyPart(1).getFileName()).isEqualTo("re__port.txt");
    assertThat(parts.getBodyPart(1).getContent().toString()).isNotEmpty();
  }

  /** Seen to fail when a refused login is tried for ever. */
  @Test
  void a_changed_password_stops_the_channel_with_a_remedy_and_is_not_shown() {
    channel = open(config().with("password", "a-wrong-password"));
    channel.start(listener);

    await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> channel.status() instanceof ChannelStatus.Stopped);
    assertThat(listener.notices()).hasSize(1).first().isInstanceOf(ChannelNotice.Stopped.class);
    SendResult result =
        send("out-1", new ChannelRequest.SendText(toAnn(Optional.empty()), "x", Optional.empty()));
    List<ChannelCheck> checks =
        new MailKind().check(config().with("password", "a-wrong-password"), context());
    assertThat(result).isInstanceOf(SendResult.RetryAfter.class);
    assertThat(channel.status() + " " + listener.notices() + result + checks)
        .contains("new password")
        .doesNotContain("a-wrong-password");
  }

  @Test
  void a_server_that_is_gone_is_waited_for() {
    start();
    server.stop();
    await().until(() -> channel.status() instanceof ChannelStatus.Retrying);
    assertThat(
            send(
                "out-1",
                new ChannelRequest.SendText(toAnn(Optional.empty()), "x", Optional.empty())))
        .isInstanceOf(SendResult.RetryAfter.class);
  }

  /** Seen to fail when a mail that is not in the folder counts as absent. */
  @Test
  void a_sent_mail_is_looked_up_in_the_folder_of_sent_mail_and_never_called_absent()
      throws Exception {
    server.getManagers().getImapHostManager().createMailbox(mailbox, "Sent");
    channel = open(config().with("sent_folder", "Sent"));
    ChannelRequest request =
        new ChannelRequest.SendText(toAnn(Optional.empty()), "x", Optional.empty());
    assertThat(channel.lookUp(OutboundId.of("out-1"), request))
        .isInstanceOf(LookUpResult.NotKnown.class);
    send("out-1", request);
    server.getManagers().getImapHostManager().getFolder(mailbox, "Sent").store(sent());
    assertThat(channel.lookUp(OutboundId.of("out-1"), request))
        .isEqualTo(new LookUpResult.Found(sent().getMessageID()));
  }

  @Test
  void the_check_says_what_works_and_what_is_missing() {
    List<ChannelCheck> good = new MailKind().check(config(), context());
    assertThat(good).allSatisfy(it -> assertThat(it.result()).isEqualTo(ChannelCheck.Result.OK));
    assertThat(new MailKind().check(config().with("folder", "Nowhere"), context()))
        .anySatisfy(it -> assertThat(it.text()).contains("no folder Nowhere"));
  }
}
