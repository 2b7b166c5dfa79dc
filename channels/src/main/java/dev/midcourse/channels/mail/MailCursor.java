package dev.midcourse.channels.mail;

import java.time.Instant;
import java.util.Optional;

/**
 * The position in a mailbox.
 *
 * @param validity the UIDVALIDITY: numbers of another one mean nothing
 * @param uid the newest mail that was taken
 * @param receivedAt when our server got that mail
 */
record MailCursor(long validity, long uid, Instant receivedAt) {

  MailCursor after(long newUid, Instant at) {
    return new MailCursor(validity, newUid, at.isAfter(receivedAt) ? at : receivedAt);
  }

  String text() {
    return validity + " " + uid + " " + receivedAt.getEpochSecond();
  }

  static Optional<MailCursor> of(String text) {
    if (!text.matches("\\d{1,18} \\d{1,18} \\d{1,11}")) {
      return Optional.empty();
    }
    String[] parts = text.split(" ", -1);
    return Optional.of(
        new MailCursor(
            Long.parseLong(parts[0]),
            Long.parseLong(parts[1]),
            Instant.ofEpochSecond(Long.parseLong(parts[2]))));
  }
}
