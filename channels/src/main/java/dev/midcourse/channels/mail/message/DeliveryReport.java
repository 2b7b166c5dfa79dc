package dev.midcourse.channels.mail.message;

import jakarta.mail.BodyPart;
import jakarta.mail.MessagingException;
import jakarta.mail.Multipart;
import jakarta.mail.internet.InternetHeaders;
import jakarta.mail.internet.MimeMessage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The report of a mail server that a mail was not delivered, as RFC 3464 describes it. A report
 * that a mail is late, or was delivered, is none.
 *
 * @param messageId the id of that mail, as the report has it
 * @param reason the words of the mail server
 */
public record DeliveryReport(String messageId, String reason) {
  private static final int MAX_PARTS = 10;
  private static final int MAX_BYTES = 64 * 1024;
  private static final int MAX_RECIPIENTS = 10;
  private static final Pattern MESSAGE_ID = Pattern.compile("<[^<>\\s\\p{Cntrl}]{1,300}>");

  public static Optional<DeliveryReport> read(MimeMessage mail)
      throws MessagingException, IOException {
    if (!mail.isMimeType("multipart/report")
        || !(mail.getContent() instanceof Multipart report)
        || report.getCount() > MAX_PARTS) {
      return Optional.empty();
    }
    Optional<String> reason = Optional.empty();
    Optional<String> messageId = Optional.empty();
    for (int i = 0; i < report.getCount(); i++) {
      BodyPart part = report.getBodyPart(i);
      if (part.isMimeType("message/delivery-status")) {
        reason = failure(bytes(part));
      } else if (part.isMimeType("message/rfc822") || part.isMimeType("text/rfc822-headers")) {
        messageId = value(headers(bytes(part)), "Message-ID").flatMap(DeliveryReport::id);
      }
    }
    return reason.isPresent() && messageId.isPresent()
        ? Optional.of(new DeliveryReport(messageId.get(), reason.get()))
        : Optional.empty();
  }

  private static ByteArrayInputStream bytes(BodyPart part) throws MessagingException, IOException {
    try (InputStream in = part.getInputStream()) {
      return new ByteArrayInputStream(in.readNBytes(MAX_BYTES));
    }
  }

  /**
   * The reason for which a recipient does not get the mail: the first groups are about the mail.
   */
  private static Optional<String> failure(ByteArrayInputStream status) throws MessagingException {
    for (int group = 0; group <= MAX_RECIPIENTS && status.available() > 0; group++) {
      InternetHeaders fields = headers(status);
      boolean isFailed = value(fields, "Action").filter("failed"::equalsIgnoreCase).isPresent();
      if (isFailed) {
        return value(fields, "Diagnostic-Code")
            .or(() -> value(fields, "Status"))
            .or(() -> Optional.of("the mail server gives no reason"));
      }
    }
    return Optional.empty();
  }

  /** Reads the headers up to the next empty line. */
  private static InternetHeaders headers(InputStream in) throws MessagingException {
    return new InternetHeaders(in);
  }

  private static Optional<String> value(InternetHeaders headers, String name) {
    return Optional.ofNullable(headers.getHeader(name, null))
        .map(text -> MailBody.bounded(text.replaceAll("\\s+", " ")))
        .filter(text -> !text.isEmpty());
  }

  private static Optional<String> id(String header) {
    Matcher found = MESSAGE_ID.matcher(header);
    return found.find() ? Optional.of(found.group()) : Optional.empty();
  }
}
