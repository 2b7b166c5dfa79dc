package dev.midcourse.channels.mail;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.List;

/** Writes mails as they come from the network: lines of headers, an empty line and the text. */
final class Mails {
  static final String BOT = "bot@example.org";
  static final String ANN = "ann@example.com";

  /** What our mail server writes on top of a mail that its domain stands behind. */
  static final String PROOF =
      """
      Authentication-Results: mx.example.org; spf=pass smtp.mailfrom=example.com;
      \tdkim=pass (2048-bit key; secure) header.d=example.com;
      \tdmarc=pass (p=reject dis=none) header.from=example.com\
      """;

  private final List<String> headers = new ArrayList<>();
  private String text = "";

  private Mails() {}

  static Mails from(String sender, String messageId, String subject) {
    return new Mails()
        .header("From: " + sender)
        .header("To: " + BOT)
        .header("Message-ID: " + messageId)
        .header("Subject: " + subject);
  }

  /** A mail of Ann that our mail server found to be hers. */
  static Mails ofAnn(String messageId, String subject) {
    return new Mails()
        .header(PROOF)
        .header("From: Ann <" + ANN + ">")
        .header("To: " + BOT)
        .header("Message-ID: " + messageId)
        .header("Subject: " + subject);
  }

  Mails header(String line) {
    headers.add(line);
    return this;
  }

  /** Puts a header on top, as a mail server does. */
  Mails top(String line) {
    headers.addFirst(line);
    return this;
  }

  Mails to(String address) {
    headers.removeIf(line -> line.startsWith("To: "));
    return header("To: " + address);
  }

  Mails text(String body) {
    this.text = body;
    return this;
  }

  byte[] bytes() {
    boolean hasType = headers.stream().anyMatch(line -> line.startsWith("Content-Type:"));
    String type = hasType ? "" : "Content-Type: text/plain; charset=utf-8\r\n";
    String whole = String.join("\r\n", headers) + "\r\n" + type + "\r\n" + text;
    return whole.replaceAll("(?<!\r)\n", "\r\n").getBytes(UTF_8);
  }
}
