package dev.midcourse.channels.mail.message;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.midcourse.core.chat.inbound.Attachment;
import dev.midcourse.core.chat.outbound.TextSplitter;
import jakarta.mail.BodyPart;
import jakarta.mail.MessagingException;
import jakarta.mail.Multipart;
import jakarta.mail.Part;
import jakarta.mail.internet.ContentType;
import jakarta.mail.internet.MimeUtility;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The text and the files of a mail. Reads at most {@link #MAX_PARTS} parts, {@link #MAX_DEPTH}
 * levels and 256 KiB of text; the rest is left out.
 */
public final class MailBody {
  /** In UTF-16 units: at most 240 KB in UTF-8. */
  private static final int MAX_TEXT = 80_000;

  private static final int MAX_TEXT_BYTES = 512 * 1024;
  private static final int MAX_PARTS = 200;
  private static final int MAX_DEPTH = 10;
  private static final int MAX_ATTACHMENTS = 20;
  private static final int MAX_NAME = 200;

  private final String place;
  private final List<Attachment> attachments = new ArrayList<>();
  private final List<Part> attached = new ArrayList<>();
  private final StringBuilder plain = new StringBuilder();
  private final StringBuilder html = new StringBuilder();
  private int parts;

  private MailBody(String place) {
    this.place = place;
  }

  /**
   * Reads a mail.
   *
   * @param place names the mail in its mailbox; the reference of an attachment begins with it
   */
  public static MailBody read(Part mail, String place) throws MessagingException, IOException {
    MailBody body = new MailBody(place);
    body.visit(mail, 0);
    return body;
  }

  /** The plain form if there is one, else the text of the HTML form. */
  public String text() {
    String whole = plain.isEmpty() ? HtmlText.of(html.toString()) : plain.toString();
    return TextSplitter.truncate(clean(whole.replace("\r\n", "\n")), MAX_TEXT);
  }

  public List<Attachment> attachments() {
    return List.copyOf(attachments);
  }

  /** The part of the attachment with this number. */
  public Optional<Part> attached(int number) {
    return number >= 0 && number < attached.size()
        ? Optional.of(attached.get(number))
        : Optional.empty();
  }

  /** Leaves out what is not valid Unicode, and NUL. */
  static String clean(String text) {
    return new String(text.getBytes(UTF_8), UTF_8).replace("\0", "");
  }

  private void visit(Part part, int depth) throws MessagingException, IOException {
    parts++;
    if (parts > MAX_PARTS || depth > MAX_DEPTH) {
      return;
    }
    Optional<ContentType> type = type(part);
    String kind = type.map(it -> it.getBaseType().toLowerCase(Locale.ROOT)).orElse("text/plain");
    boolean isFile = Part.ATTACHMENT.equalsIgnoreCase(disposition(part)) || name(part).isPresent();
    if (kind.startsWith("multipart/") && part.getContent() instanceof Multipart children) {
      for (int i = 0; i < children.getCount() && parts <= MAX_PARTS; i++) {
        BodyPart child = children.getBodyPart(i);
        visit(child, depth + 1);
      }
    } else if (!isFile && kind.equals("text/plain")) {
      plain.append(plain.isEmpty() ? "" : "\n").append(text(part, type));
    } else if (!isFile && kind.equals("text/html")) {
      html.append(text(part, type));
    } else if (attachments.size() < MAX_ATTACHMENTS) {
      attachments.add(
          new Attachment(
              name(part).orElse("file"),
              bounded(kind),
              Math.max(0, part.getSize()),
              place + "/" + attached.size(),
              Optional.empty()));
      attached.add(part);
    }
  }

  private static Optional<ContentType> type(Part part) throws MessagingException {
    try {
      return Optional.of(new ContentType(part.getContentType()));
    } catch (jakarta.mail.internet.ParseException invalid) {
      return Optional.empty();
    }
  }

  private static String disposition(Part part) {
    try {
      return Optional.ofNullable(part.getDisposition()).orElse("");
    } catch (MessagingException invalid) {
      return "";
    }
  }

  private static Optional<String> name(Part part) {
    try {
      return Optional.ofNullable(part.getFileName()).map(MailBody::decoded).map(MailBody::bounded);
    } catch (MessagingException invalid) {
      return Optional.empty();
    }
  }

  /** Decodes the form that headers use for characters other than ASCII. */
  static String decoded(String header) {
    try {
      return MimeUtility.decodeText(header);
    } catch (IOException | RuntimeException unknownCharset) {
      return header;
    }
  }

  /** A text for one line, without control characters. */
  public static String bounded(String text) {
    String line = clean(text).replaceAll("\\p{Cntrl}+", " ").strip();
    return line.length() <= MAX_NAME ? line : TextSplitter.truncate(line, MAX_NAME);
  }

  private static String text(Part part, Optional<ContentType> type)
      throws MessagingException, IOException {
    try (InputStream in = part.getInputStream()) {
      return new String(in.readNBytes(MAX_TEXT_BYTES), charset(type));
    }
  }

  private static Charset charset(Optional<ContentType> type) {
    String name = type.map(it -> it.getParameter("charset")).orElse("utf-8");
    try {
      Charset known = Charset.forName(MimeUtility.javaCharset(name));
      return known.equals(StandardCharsets.US_ASCII) ? UTF_8 : known;
    } catch (IllegalArgumentException unknown) {
      return UTF_8;
    }
  }
}
