package dev.midcourse.channels.mail.message;

import jakarta.mail.MessagingException;
import jakarta.mail.internet.MimeMessage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Keeps programs from talking with us: leaves out mail that a program sent, and more than so many
 * mails of one sender in an hour. Not thread-safe.
 */
public final class LoopGuard {
  private static final Duration WINDOW = Duration.ofHours(1);
  private static final int MAX_SENDERS = 10_000;
  private static final Set<String> BULK = Set.of("bulk", "list", "junk", "auto_reply");

  private final int maxPerHour;
  private final Map<String, Deque<Instant>> senders =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Deque<Instant>> eldest) {
          return size() > MAX_SENDERS;
        }
      };

  public LoopGuard(int maxPerHour) {
    this.maxPerHour = maxPerHour;
  }

  /** Why the mail is not of a person; empty if it may be. */
  public static Optional<String> automatic(MimeMessage mail) throws MessagingException {
    String submitted = first(mail, "Auto-Submitted");
    if (!submitted.isEmpty() && !submitted.equals("no") && !submitted.startsWith("no;")) {
      return Optional.of("it was sent by a program (Auto-Submitted)");
    }
    if (BULK.contains(first(mail, "Precedence"))) {
      return Optional.of("it is bulk mail (Precedence)");
    }
    if (mail.getHeader("List-Id") != null || mail.getHeader("List-Unsubscribe") != null) {
      return Optional.of("it comes from a mailing list");
    }
    if (mail.getHeader("Return-Path") != null && first(mail, "Return-Path").equals("<>")) {
      return Optional.of("it is a report of a mail server (empty Return-Path)");
    }
    if (first(mail, "Content-Type").startsWith("multipart/report")) {
      return Optional.of("it is a report of a mail server (multipart/report)");
    }
    return Optional.empty();
  }

  private static String first(MimeMessage mail, String header) throws MessagingException {
    String[] values = mail.getHeader(header);
    return values == null ? "" : values[0].strip().toLowerCase(Locale.ROOT);
  }

  /**
   * Counts a mail; false if the sender has sent too many. The times are those at which the server
   * got the mails, so that a backlog is not taken for a flood.
   */
  public boolean admit(String sender, Instant receivedAt) {
    Deque<Instant> times = senders.computeIfAbsent(sender, it -> new ArrayDeque<>());
    while (!times.isEmpty() && times.getFirst().isBefore(receivedAt.minus(WINDOW))) {
      times.removeFirst();
    }
    if (times.size() >= maxPerHour) {
      return false;
    }
    times.addLast(receivedAt);
    return true;
  }
}
