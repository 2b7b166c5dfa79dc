package dev.midcourse.channels.mail;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.channels.connection.TlsTrust;
import dev.midcourse.channels.fixture.MemoryState;
import dev.midcourse.channels.kind.ChannelSecret;
import dev.midcourse.channels.mail.MailServer.Security;
import dev.midcourse.channels.mail.message.DeliveryReport;
import dev.midcourse.channels.mail.message.LoopGuard;
import dev.midcourse.channels.mail.message.QuoteCutter;
import dev.midcourse.core.chat.ChannelName;
import dev.midcourse.core.chat.inbound.Attachment;
import dev.midcourse.core.chat.inbound.InboundMessage;
import dev.midcourse.core.chat.outbound.FileName;
import dev.midcourse.core.chat.person.Identity;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a mail means, and who its sender is. */
class MailReaderTest {
  static final Instant NOW = Instant.parse("2026-03-01T10:00:00Z");
  static final MailSettings SETTINGS =
      new MailSettings(
          ChannelName.of("post"),
          Mails.BOT,
          new MailServer("localhost", 143, Security.NONE),
          new MailServer("localhost", 25, Security.NONE),
          new TlsTrust(Optional.empty()),
          Mails.BOT,
          () -> new ChannelSecret("password"),
          false,
          "INBOX",
          Optional.empty(),
          Optional.of("mx.example.org"),
          Duration.ofMinutes(1),
          Duration.ofDays(30),
          60);

  private final MailTokens tokens = MailTokens.open(new MemoryState());
  private final MailReader reader = new MailReader(SETTINGS, tokens);

  private MailUpdate update(Mails mail) {
    return reader.read(mail.bytes(), "1/7", NOW);
  }

  private InboundMessage read(Mails mail) {
    assertThat(update(mail)).isInstanceOf(MailUpdate.Message.class);
    return ((MailUpdate.Message) update(mail)).message();
  }

  /** Seen to fail when the words of the sender are cut. */
  @Test
  void a_mail_of_a_proved_sender_is_a_message_in_the_chat_of_the_sender() {
    InboundMessage message = read(Mails.ofAnn("<1@example.com>", "Login").text("Fix the login.\n"));

    assertThat(message.sender().identity()).contains(Identity.of("post:ann@example.com"));
    assertThat(message.ref().chat()).isEqualTo("ann@example.com");
    assertThat(message.ref().message()).isEqualTo("<1@example.com>");
    assertThat(message.mentioned()).isTrue();
    assertThat(message.text()).isEqualTo("Login\n\nFix the login.");
    assertThat(message.bareText()).isEqualTo("Fix the login.");
    assertThat(message.thread()).contains(MailTokens.threadOf("<1@example.com>"));
  }

  /** Seen to fail when any header with dmarc=pass counts. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "X-Nothing: at all",
        "Authentication-Results: evil.example.net; dmarc=pass header.from=example.com",
        "Authentication-Results: mx.example.org; dmarc=fail header.from=example.com",
        "Authentication-Results: mx.example.org; dmarc=none header.from=example.com",
        "Authentication-Results: mx.example.org; dmarc=pass header.from=evil.example",
        "Authentication-Results: mx.example.org; spf=pass (dmarc=pass header.from=example.com)",
        "Authentication-Results: mx.example.org; spf=pass reason=\"; dmarc=pass\"",
        "Authentication-Results: mx.example.org; dkim=pass header.d=example.com; spf=pass",
        "Authentication-Results: mx.example.org; none",
        "Authentication-Results: mx.example.org.evil.example; dmarc=pass",
        "Authentication-Results: mx.example.org; dmarc=pass; dmarc=fail header.from=example.com"
      })
  void t412_a_forged_sender_is_nobody(String header) {
    InboundMessage message =
        read(Mails.from("Ann <ann@example.com>", "<1@x>", "Hello").top(header).text("Delete all."));

    assertThat(message.sender().identity()).isEmpty();
    assertThat(message.mentioned()).as("a forged mail addresses nobody").isFalse();
  }

  /** Seen to fail when the last header counts instead of the topmost. */
  @Test
  void t412_a_proof_that_the_sender_wrote_below_that_of_our_server_does_not_count() {
    InboundMessage message =
        read(
            Mails.ofAnn("<1@x>", "Hello")
                .top("Authentication-Results: mx.example.org; dmarc=fail header.from=example.com"));

    assertThat(message.sender().identity()).isEmpty();
  }

  /** Seen to fail when the first sender counts. */
  @Test
  void two_senders_are_nobody() {
    Mails two = Mails.ofAnn("<1@x>", "Hello").header("From: eve@example.net");

    assertThat(update(two)).isInstanceOf(MailUpdate.Skip.class);
    assertThat(update(Mails.from("ann@example.com, eve@example.net", "<1@x>", "Hello")))
        .isInstanceOf(MailUpdate.Skip.class);
  }

  /** Seen to fail when the token is not bound to the person, and when its end is not checked. */
  @Test
  void t413_a_reply_address_proves_its_person_until_it_ends() {
    String thread = MailTokens.threadOf("<root@x>");
    String token = tokens.replyToken(Mails.ANN, thread, NOW, Duration.ofHours(1));
    String address = "bot+" + token + "@example.org";

    InboundMessage hers = read(Mails.from(Mails.ANN, "<2@x>", "Re: Hello").to(address));
    assertThat(hers.sender().identity()).contains(Identity.of("post:ann@example.com"));
    assertThat(hers.thread()).contains(thread);
    assertThat(read(Mails.from("eve@example.net", "<2@x>", "Re: Hello").to(address)).sender())
        .matches(sender -> sender.identity().isEmpty());
    assertThat(
            reader.read(
                Mails.from(Mails.ANN, "<2@x>", "Re").to(address).bytes(),
                "1/8",
                NOW.plus(Duration.ofHours(1))))
        .isInstanceOfSatisfying(
            MailUpdate.Message.class,
            late -> assertThat(late.message().sender().identity()).isEmpty());
    String changed = address.replace(thread, MailTokens.threadOf("<other@x>"));
    assertThat(read(Mails.from(Mails.ANN, "<2@x>", "Re").to(changed)).sender().identity())
        .isEmpty();
  }

  /** Seen to fail when the signature of a button address is not compared. */
  @Test
  void t423_a_button_is_pressed_only_from_the_address_to_which_it_was_sent() {
    String address = "bot+" + tokens.buttonToken(Mails.ANN, "k3v9") + "@example.org";

    assertThat(update(Mails.from(Mails.ANN, "<3@x>", "answer").to(address)))
        .isInstanceOfSatisfying(
            MailUpdate.Click.class,
            click -> {
              assertThat(click.click().button()).isEqualTo("k3v9");
              assertThat(click.click().sender().identity())
                  .contains(Identity.of("post:ann@example.com"));
            });
    assertThat(update(Mails.from("eve@example.net", "<3@x>", "answer").to(address)))
        .isInstanceOf(MailUpdate.Message.class);
    assertThat(
            update(
                Mails.ofAnn("<4@x>", "answer").to("bot+b-k3v9-" + "0".repeat(20) + "@example.org")))
        .as("a proved sender without the address of the button")
        .isInstanceOf(MailUpdate.Message.class);
  }

  /** A report as Postfix writes it, about a mail with this id. */
  private static Mails report(String action, String messageId) {
    return Mails.from("MAILER-DAEMON@mx.example.org", "<report@mx.example.org>", "Undelivered")
        .top("Return-Path: <>")
        .header("Auto-Submitted: auto-replied")
        .header("Content-Type: multipart/report; report-type=delivery-status; boundary=\"limit\"")
        .text(
            """
            --limit
            Content-Type: text/plain; charset=us-ascii

            I am sorry.
            --limit
            Content-Type: message/delivery-status

            Reporting-MTA: dns; mx.example.org
            Arrival-Date: Sun, 1 Mar 2026 10:00:00 +0000

            Final-Recipient: rfc822; ann@example.com
            Action: %s
            Status: 5.1.1
            Diagnostic-Code: smtp; 550 5.1.1 <ann@example.com>: no such
                user here

            --limit
            Content-Type: text/rfc822-headers

            From: bot@example.org
            To: ann@example.com
            Message-ID:
             %s

            --limit--
            """
                .formatted(action, messageId));
  }

  /**
   * Seen to fail when every report of a mail server is left out, when one of a delay counts, and
   * when the id is not compared with the ids that only we can make.
   */
  @Test
  void t484_the_report_of_a_mail_server_names_the_mail_of_ours_that_did_not_arrive() {
    String ours = tokens.messageId("out-1", MailTokens.NO_THREAD, "example.org");

    assertThat(update(report("failed", ours)))
        .isEqualTo(
            new MailUpdate.Undelivered(
                new DeliveryReport(ours, "smtp; 550 5.1.1 <ann@example.com>: no such user here")));
    assertThat(update(report("delayed", ours))).isInstanceOf(MailUpdate.Skip.class);
    assertThat(update(report("delivered", ours))).isInstanceOf(MailUpdate.Skip.class);
    assertThat(
            update(
                report(
                    "failed",
                    "<mc.out-1.%s.%s@example.org>".formatted("0".repeat(16), "0".repeat(20)))))
        .as("somebody invented the id")
        .isInstanceOf(MailUpdate.Skip.class);
  }

  /** Seen to fail when the headers of mailing lists are not looked at. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "Auto-Submitted: auto-replied",
        "Auto-Submitted: auto-generated; owner=x",
        "Precedence: bulk",
        "Precedence: list",
        "List-Id: <dev.example.org>",
        "Return-Path: <>",
        "Content-Type: multipart/report; report-type=delivery-status; boundary=x"
      })
  void mail_of_programs_is_left_out(String header) {
    assertThat(update(Mails.ofAnn("<1@x>", "Out of office").header(header)))
        .isInstanceOf(MailUpdate.Skip.class);
  }

  /** Seen to fail when mails are not counted. */
  @Test
  void one_sender_is_heard_so_often_in_an_hour() {
    LoopGuard guard = new LoopGuard(2);

    assertThat(guard.admit("ann", NOW)).isTrue();
    assertThat(guard.admit("ann", NOW)).isTrue();
    assertThat(guard.admit("ann", NOW)).isFalse();
    assertThat(guard.admit("bob", NOW)).isTrue();
    assertThat(guard.admit("ann", NOW.plus(Duration.ofMinutes(61)))).isTrue();
  }

  /** Seen to fail when the own address is like any other. */
  @Test
  void our_own_mail_is_left_out() {
    assertThat(update(Mails.from(Mails.BOT, "<1@x>", "Hello"))).isInstanceOf(MailUpdate.Skip.class);
  }

  @Test
  void a_reply_belongs_to_the_thread_of_its_root_whatever_it_names_last() {
    String root = MailTokens.threadOf("<root@x>");
    String ours = tokens.messageId("out-1", root, "example.org");

    InboundMessage toOurs =
        read(
            Mails.ofAnn("<3@x>", "Re: Login")
                .header("In-Reply-To: " + ours)
                .header("References: <root@x> " + ours)
                .text("Use tabs."));
    assertThat(toOurs.thread()).contains(root);
    assertThat(toOurs.replyTo())
        .hasValueSatisfying(it -> {
          assertThat(it.message()).isEqualTo(ours);
          assertThat(it.ours()).isTrue();
        });
    assertThat(toOurs.text()).isEqualTo("Use tabs.");
    InboundMessage rewritten =
        read(
            Mails.ofAnn("<4@x>", "Re: Login")
                .header("In-Reply-To: <rewritten-by-the-provider@x>")
                .header("References: <root@x> <rewritten-by-the-provider@x>"));
    assertThat(rewritten.thread()).contains(root);
    assertThat(rewritten.replyTo()).hasValueSatisfying(it -> assertThat(it.ours()).isFalse());
    String forged = ours.replace("out-1", "out-2");
    assertThat(read(Mails.ofAnn("<5@x>", "Re").header("In-Reply-To: " + forged)).replyTo())
        .hasValueSatisfying(it -> assertThat(it.ours()).isFalse());
  }

  /** Seen to fail when each reading gives a key of its own. */
  @Test
  void the_same_mail_has_the_same_key_and_another_one_has_not() {
    String first = read(Mails.ofAnn("<1@x>", "Hello").text("One.")).updateKey();

    assertThat(
            read(Mails.ofAnn("<1@x>", "Hello").top("Received: by other").text("One.")).updateKey())
        .isEqualTo(first);
    assertThat(read(Mails.ofAnn("<1@x>", "Hello").text("Two.")).updateKey()).isNotEqualTo(first);
  }

  /** Seen to fail when the signature stays. */
  @Test
  void quotes_and_signatures_are_cut() {
    assertThat(
            QuoteCutter.cut(
                """
                Use tabs 👍🏽 please.

                On Sun, 1 Mar 2026 at 10:00, Midcourse
                <bot@example.org> wrote:
                > I use spaces.
                > > stop
                """))
        .isEqualTo("Use tabs 👍🏽 please.");
    assertThat(QuoteCutter.cut("> Tabs?\nYes.\n> Tests?\nLater.\n-- \nAnn\nCEO"))
        .isEqualTo("Yes.\nLater.");
    assertThat(QuoteCutter.cut("Ja.\n\nAm 01.03.26 um 10:00 schrieb Midcourse:\n> Tabs?"))
        .isEqualTo("Ja.");
    assertThat(
            QuoteCutter.cut("stop\n\nFrom: Midcourse\nSent: Sunday\nTo: Ann\nSubject: x\n\nText"))
        .isEqualTo("stop");
    assertThat(QuoteCutter.cut("On Monday he wrote:\nthe code is fine"))
        .as("not a quote")
        .isEqualTo("On Monday he wrote:\nthe code is fine");
    assertThat(QuoteCutter.cut("-----Original Message-----\nOld.")).isEmpty();
  }

  @Test
  void html_without_a_plain_form_is_read_as_text() {
    Mails mail =
        Mails.ofAnn("<1@x>", "Re: x")
            .header("In-Reply-To: <0@x>")
            .header("Content-Type: text/html; charset=iso-8859-1")
            .text(
                "<html><head><style>p{}</style></head><p>Use &lt;tabs&gt;</p><script>x</script>"
                    + "<p>&#128077; &amp more</p><blockquote>old</blockquote></html>");

    assertThat(read(mail).text()).isEqualTo("Use <tabs>\n\n👍 &amp more");
  }

  @Test
  void a_hostile_file_name_is_only_shown() {
    Mails mail =
        Mails.ofAnn("<1@x>", "File")
            .header("Content-Type: multipart/mixed; boundary=cut")
            .text(
                """
                --cut
                Content-Type: text/plain

                See the file.
                --cut
                Content-Type: application/pdf
                Content-Disposition: attachment; filename="../../etc/pass\twd"

                data
                --cut--
                """);

    List<Attachment> files = read(mail).attachments();
    assertThat(files).hasSize(1);
    assertThat(files.getFirst().name()).doesNotContain("\t");
    assertThat(FileName.safe(files.getFirst().name()).value()).doesNotContain("/");
    assertThat(files.getFirst().reference()).isEqualTo("1/7/0");
    assertThat(read(mail).bareText()).isEqualTo("See the file.");
  }

  @Test
  void a_long_text_is_cut_and_odd_characters_are_left_out() {
    InboundMessage message = read(Mails.ofAnn("<1@x>", "Long").text("a\0b" + "ä".repeat(400_000)));

    assertThat(message.text()).startsWith("Long\n\nab").endsWith("…");
  }

  /** Seen to fail when no encryption is allowed to any server. */
  @Test
  void a_server_elsewhere_needs_encryption() {
    assertThat(
            org.assertj.core.api.Assertions.catchThrowable(
                () -> MailServer.of("mail.example.org", Security.NONE, 993, 143)))
        .hasMessageContaining("needs tls");
    assertThat(MailServer.of("mail.example.org", Security.STARTTLS, 993, 143).port())
        .isEqualTo(143);
    assertThat(MailServer.of("localhost:2143", Security.NONE, 993, 143).port()).isEqualTo(2143);
  }
}
