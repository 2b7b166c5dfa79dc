package dev.midcourse.channels.mail;

import dev.midcourse.channels.mail.message.AuthenticationResults;
import dev.midcourse.channels.mail.message.DeliveryReport;
import dev.midcourse.channels.mail.message.LoopGuard;
import dev.midcourse.channels.mail.message.MailBody;
import dev.midcourse.channels.mail.message.QuoteCutter;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.chat.ChatKind;
import dev.midcourse.core.chat.inbound.ButtonClick;
import dev.midcourse.core.chat.inbound.ChatFacts;
import dev.midcourse.core.chat.inbound.InboundKind;
import dev.midcourse.core.chat.inbound.InboundMessage;
import dev.midcourse.core.chat.inbound.MessageRef;
import dev.midcourse.core.chat.inbound.QuotedMessage;
import dev.midcourse.core.chat.inbound.Sender;
import dev.midcourse.core.chat.inbound.SenderKind;
import dev.midcourse.core.chat.person.Identity;
import jakarta.mail.MessagingException;
import jakarta.mail.Session;
import jakarta.mail.internet.AddressException;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeMessage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Turns the bytes of a mail into what it means for us. Never fails: a mail that cannot be read is
 * skipped. A sender has an identity only if our mail server proved it, or if the mail was sent to
 * an address that only this person was given.
 */
final class MailReader {
  static final Session NO_SESSION = Session.getInstance(new Properties());

  private static final int MAX_ADDRESS = 200;
  private static final int MAX_IDS = 100;
  private static final Pattern MESSAGE_ID = Pattern.compile("<[^<>\\s\\p{Cntrl}]{1,300}>");
  private static final Pattern ADDRESS =
      Pattern.compile("[^\\s@<>,;:\"()]{1,100}@[a-z0-9.-]{1,99}");
  private static final Pattern REPLY_SUBJECT =
      Pattern.compile(
          "^((re|aw|fwd?|wg|sv|antw)\\s*(\\[\\d+])?\\s*:\\s*)+", Pattern.CASE_INSENSITIVE);

  private final MailSettings settings;
  private final MailTokens tokens;

  MailReader(MailSettings settings, MailTokens tokens) {
    this.settings = settings;
    this.tokens = tokens;
  }

  /**
   * Reads a mail.
   *
   * @param place names the mail in its mailbox
   * @param receivedAt when our server got it
   */
  MailUpdate read(byte[] bytes, String place, Instant receivedAt) {
    try {
      MimeMessage mail = new MimeMessage(NO_SESSION, new ByteArrayInputStream(bytes));
      Optional<DeliveryReport> report =
          DeliveryReport.read(mail).filter(it -> tokens.threadOfOurs(it.messageId()).isPresent());
      if (report.isPresent()) {
        return new MailUpdate.Undelivered(report.get());
      }
      Optional<String> automatic = LoopGuard.automatic(mail);
      if (automatic.isPresent()) {
        return new MailUpdate.Skip(automatic.get());
      }
      Optional<InternetAddress> from = from(mail);
      if (from.isEmpty()) {
        return new MailUpdate.Skip("it has not one valid sender");
      }
      String address = from.get().getAddress().toLowerCase(Locale.ROOT);
      if (address.equals(settings.address())) {
        return new MailUpdate.Skip("it is from our own address");
      }
      return read(mail, from.get(), address, place, receivedAt);
    } catch (MessagingException | IOException | RefusedException e) {
      return new MailUpdate.Skip(
          "it cannot be read: " + MailBody.bounded(String.valueOf(e.getMessage())));
    }
  }

  private MailUpdate read(
      MimeMessage mail, InternetAddress from, String address, String place, Instant receivedAt)
      throws MessagingException, IOException {
    Set<String> details = details(mail);
    Optional<String> tokenThread =
        details.stream()
            .flatMap(detail -> tokens.threadOfReply(detail, address, receivedAt).stream())
            .findFirst();
    boolean isProved = tokenThread.isPresent() || isAuthenticated(mail, address);
    Sender sender =
        new Sender(
            isProved ? Optional.of(new Identity(settings.name(), address)) : Optional.empty(),
            Optional.ofNullable(from.getPersonal())
                .map(MailBody::bounded)
                .filter(name -> !name.isBlank())
                .orElse(address),
            SenderKind.PERSON);
    String messageId =
        ids(mail, "Message-ID").stream()
            .findFirst()
            .orElse("<" + place + "@" + settings.domain() + ">");
    Optional<String> button =
        details.stream().flatMap(it -> tokens.buttonOf(it, address).stream()).findFirst();
    if (button.isPresent()) {
      Sender clicker =
          new Sender(
              Optional.of(new Identity(settings.name(), address)),
              sender.name(),
              SenderKind.PERSON);
      return new MailUpdate.Click(
          new ButtonClick(
              new MessageRef(settings.name(), address, "button-" + button.get()),
              "click:" + MailTokens.threadOf(messageId + address),
              clicker,
              button.get(),
              receivedAt));
    }
    return message(mail, sender, address, messageId, tokenThread, place, receivedAt);
  }

  private MailUpdate message(
      MimeMessage mail,
      Sender sender,
      String address,
      String messageId,
      Optional<String> tokenThread,
      String place,
      Instant receivedAt)
      throws MessagingException, IOException {
    List<String> before = ids(mail, "References");
    List<String> parents = parents(mail, before);
    Optional<String> ours =
        parents.stream().filter(id -> tokens.threadOfOurs(id).isPresent()).findFirst();
    String root =
        before.stream().findFirst().or(() -> parents.stream().findFirst()).orElse(messageId);
    String thread =
        ours.flatMap(tokens::threadOfOurs)
            .or(() -> tokenThread)
            .orElseGet(() -> MailTokens.threadOf(root));
    String subject = subject(mail);
    MailBody body = MailBody.read(mail, place);
    String own = QuoteCutter.cut(body.text());
    boolean isFirst = parents.isEmpty() && tokenThread.isEmpty();
    String bare = own.isEmpty() ? subject : own;
    String text = isFirst && !own.isEmpty() && !subject.isEmpty() ? subject + "\n\n" + own : bare;
    boolean isProved = sender.identity().isPresent();
    InboundMessage message =
        new InboundMessage(
            new MessageRef(settings.name(), address, messageId),
            Optional.of(thread).filter(MailTokens::isThread),
            "mail:" + MailTokens.threadOf(messageId) + MailTokens.threadOf(address + "\n" + text),
            InboundKind.MESSAGE,
            sender,
            new ChatFacts(ChatKind.DIRECT, true, Optional.of(sender.name())),
            text,
            bare.strip(),
            isProved,
            ours.or(() -> parents.stream().findFirst())
                .map(id ->
                    new QuotedMessage(id, ours.isPresent(), Optional.empty(), Optional.empty())),
            body.attachments(),
            receivedAt);
    return new MailUpdate.Message(message, new MailThread(thread, subject, root, messageId));
  }

  private boolean isAuthenticated(MimeMessage mail, String address) throws MessagingException {
    String[] headers = mail.getHeader("Authentication-Results");
    String domain = address.substring(address.lastIndexOf('@') + 1);
    return headers != null
        && settings
            .authservId()
            .filter(id -> AuthenticationResults.proves(List.of(headers), id, domain))
            .isPresent();
  }

  /** The one address of {@code From}; empty if there are several or it is malformed. */
  private static Optional<InternetAddress> from(MimeMessage mail) throws MessagingException {
    String[] headers = mail.getHeader("From");
    if (headers == null || headers.length != 1) {
      return Optional.empty();
    }
    try {
      InternetAddress[] all = InternetAddress.parseHeader(headers[0], true);
      boolean isOne = all.length == 1 && !all[0].isGroup() && isAddress(all[0].getAddress());
      return isOne ? Optional.of(all[0]) : Optional.empty();
    } catch (AddressException invalid) {
      return Optional.empty();
    }
  }

  private static boolean isAddress(String text) {
    return text.length() <= MAX_ADDRESS && ADDRESS.matcher(text.toLowerCase(Locale.ROOT)).matches();
  }

  /** What stands after the plus sign of our own address in the addresses of the mail. */
  private Set<String> details(MimeMessage mail) throws MessagingException {
    Set<String> details = new LinkedHashSet<>();
    Pattern own =
        Pattern.compile(
            Pattern.quote(settings.local())
                + "\\+([A-Za-z0-9_-]{1,60})@"
                + Pattern.quote(settings.domain()),
            Pattern.CASE_INSENSITIVE);
    for (String name : List.of("To", "Cc", "Delivered-To", "X-Original-To")) {
      String[] values = mail.getHeader(name);
      for (int i = 0; values != null && i < values.length; i++) {
        Matcher found = own.matcher(values[i]);
        while (details.size() < MAX_IDS && found.find()) {
          details.add(found.group(1));
        }
      }
    }
    return details;
  }

  /**
   * The mails to which this one may reply: {@code In-Reply-To}, then the newest reference first.
   */
  private static List<String> parents(MimeMessage mail, List<String> references)
      throws MessagingException {
    List<String> parents = new ArrayList<>(ids(mail, "In-Reply-To"));
    List<String> newestFirst = new ArrayList<>(references);
    Collections.reverse(newestFirst);
    parents.addAll(newestFirst);
    return parents;
  }

  private static List<String> ids(MimeMessage mail, String header) throws MessagingException {
    String[] values = mail.getHeader(header);
    return values == null
        ? List.of()
        : MESSAGE_ID.matcher(values[0]).results().limit(MAX_IDS).map(it -> it.group()).toList();
  }

  private static String subject(MimeMessage mail) throws MessagingException {
    String subject = Optional.ofNullable(mail.getSubject()).map(MailBody::bounded).orElse("");
    return REPLY_SUBJECT.matcher(subject).replaceFirst("");
  }
}
