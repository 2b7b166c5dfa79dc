package dev.midcourse.channels.mail;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.midcourse.channels.ChannelRequest;
import dev.midcourse.channels.mail.message.MailBody;
import dev.midcourse.channels.markdown.MarkdownText;
import dev.midcourse.core.chat.outbound.FileName;
import dev.midcourse.core.chat.outbound.OutboundContent.Button;
import dev.midcourse.core.chat.outbound.OutboundId;
import dev.midcourse.core.chat.outbound.TextSplitter;
import jakarta.activation.DataHandler;
import jakarta.activation.FileDataSource;
import jakarta.mail.Message;
import jakarta.mail.MessagingException;
import jakarta.mail.Session;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeBodyPart;
import jakarta.mail.internet.MimeMessage;
import jakarta.mail.internet.MimeMultipart;
import java.io.IOException;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Optional;

/** Writes the mail for a request, with an id and a reply address that only we can make. */
final class MailWriter {
  private static final int MAX_SUBJECT = 78;

  private final MailSettings settings;
  private final MailTokens tokens;
  private final MailThreads threads;

  MailWriter(MailSettings settings, MailTokens tokens, MailThreads threads) {
    this.settings = settings;
    this.tokens = tokens;
    this.threads = threads;
  }

  /** A mail that keeps the id that it was given. */
  private static final class IdentifiedMail extends MimeMessage {
    private final String id;

    private IdentifiedMail(Session session, String id) {
      super(session);
      this.id = id;
    }

    @Override
    protected void updateMessageID() throws MessagingException {
      setHeader("Message-ID", id);
    }
  }

  /** The id of the mail for a request: the same at each call. */
  String messageId(OutboundId id, ChannelRequest request) {
    return tokens.messageId(id.value(), thread(request), settings.domain());
  }

  private static String thread(ChannelRequest request) {
    return request.to().thread().filter(MailTokens::isThread).orElse(MailTokens.NO_THREAD);
  }

  MimeMessage write(Session session, OutboundId id, ChannelRequest request, Instant now)
      throws MessagingException, IOException {
    String person = request.to().chat();
    String thread = thread(request);
    MimeMessage mail = new IdentifiedMail(session, messageId(id, request));
    mail.setFrom(new InternetAddress(settings.address(), "Midcourse", UTF_8.name()));
    mail.setRecipient(Message.RecipientType.TO, new InternetAddress(person, true));
    mail.setReplyTo(
        new InternetAddress[] {
          new InternetAddress(own(tokens.replyToken(person, thread, now, settings.tokenLife())))
        });
    mail.setSentDate(Date.from(now));
    mail.setHeader("Auto-Submitted", "auto-replied");
    mail.setHeader("X-Auto-Response-Suppress", "All");
    Optional<MailThread> known = threads.find(thread);
    Optional<String> parent = replyTo(request).or(() -> known.map(MailThread::last));
    parent.ifPresent(it -> header(mail, "In-Reply-To", it));
    known
        .map(MailThread::root)
        .filter(root -> parent.filter(root::equals).isEmpty())
        .map(root -> root + parent.map(it -> "\r\n " + it).orElse(""))
        .or(() -> parent)
        .ifPresent(references -> header(mail, "References", references));
    String plain = plain(request, person);
    mail.setSubject(
        known.map(it -> "Re: " + it.subject()).orElseGet(() -> subject(request, plain)),
        UTF_8.name());
    if (request instanceof ChannelRequest.SendFile file) {
      mail.setContent(withFile(plain, file));
    } else {
      mail.setContent(alternative(plain, html(request, person)));
    }
    mail.saveChanges();
    return mail;
  }

  private static void header(MimeMessage mail, String name, String value) {
    try {
      mail.setHeader(name, value);
    } catch (MessagingException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private String own(String detail) {
    return settings.local() + "+" + detail + "@" + settings.domain();
  }

  private static Optional<String> replyTo(ChannelRequest request) {
    return request instanceof ChannelRequest.SendText(var _, var _, Optional<String> replyTo)
        ? replyTo.filter(id -> id.matches("<[^<>\\s\\p{Cntrl}]{1,300}>"))
        : Optional.empty();
  }

  private static String subject(ChannelRequest request, String plain) {
    String first =
        request instanceof ChannelRequest.SendCard card
            ? card.title()
            : plain.lines().filter(line -> !line.isBlank()).findFirst().orElse("Midcourse");
    return TextSplitter.truncate(MailBody.bounded(first), MAX_SUBJECT);
  }

  private static String markdown(ChannelRequest request) {
    return switch (request) {
      case ChannelRequest.SendText(var _, String markdown, var _) -> markdown;
      case ChannelRequest.SendCard(var _, String title, String markdown, var _) ->
          "**" + title + "**\n\n" + markdown;
      case ChannelRequest.SendFile file -> file.caption().orElse(file.name());
      case ChannelRequest.EditText(var _, var _, String markdown) -> markdown;
      case ChannelRequest.CloseCard(var _, var _, String markdown) -> markdown;
      case ChannelRequest.SetReaction _ -> "";
    };
  }

  private static List<Button> buttons(ChannelRequest request) {
    return request instanceof ChannelRequest.SendCard card ? card.buttons() : List.of();
  }

  private String plain(ChannelRequest request, String person) {
    StringBuilder text = new StringBuilder(MarkdownText.toPlain(markdown(request)));
    for (Button button : buttons(request)) {
      text.append("\n\n%s: send a mail to\n%s".formatted(button.label(), address(button, person)));
    }
    return text.toString();
  }

  private String html(ChannelRequest request, String person) {
    StringBuilder text = new StringBuilder(MarkdownText.toHtml(markdown(request)));
    for (Button button : buttons(request)) {
      text.append(
          "<p><a href=\"mailto:%s?subject=%s\">%s</a></p>"
              .formatted(
                  address(button, person),
                  "answer",
                  MarkdownText.toHtml(button.label()).replaceAll("</?p>", "")));
    }
    return text.toString();
  }

  private String address(Button button, String person) {
    return own(tokens.buttonToken(person, button.id()));
  }

  private static MimeMultipart alternative(String plain, String html) throws MessagingException {
    MimeMultipart both = new MimeMultipart("alternative");
    MimeBodyPart first = new MimeBodyPart();
    first.setText(plain, UTF_8.name());
    both.addBodyPart(first);
    MimeBodyPart second = new MimeBodyPart();
    second.setText(html, UTF_8.name(), "html");
    both.addBodyPart(second);
    return both;
  }

  private static MimeMultipart withFile(String plain, ChannelRequest.SendFile file)
      throws MessagingException {
    MimeMultipart both = new MimeMultipart("mixed");
    MimeBodyPart text = new MimeBodyPart();
    text.setText(plain, UTF_8.name());
    both.addBodyPart(text);
    MimeBodyPart content = new MimeBodyPart();
    content.setDataHandler(
        new DataHandler(
            new FileDataSource(file.file().toFile()) {
              @Override
              public String getContentType() {
                return "application/octet-stream";
              }
            }));
    content.setDisposition(MimeBodyPart.ATTACHMENT);
    content.setFileName(FileName.safe(file.name()).value());
    both.addBodyPart(content);
    return both;
  }
}
