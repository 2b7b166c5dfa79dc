package dev.midcourse.hub.mailbox;

import dev.midcourse.agents.mail.DirectoryHandle;
import dev.midcourse.agents.mail.MailboxDirectory;
import dev.midcourse.agents.mail.PreallocatedFiles;
import dev.midcourse.core.id.GroupName;
import dev.midcourse.core.json.JsonWriter;
import dev.midcourse.hub.mailbox.InboxMessages.InboxMessage;
import dev.midcourse.ledger.Log;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** The {@code input} folder of a group, with an estimate of the unread messages in it. */
final class GroupInbox {
  private static final System.Logger LOG = System.getLogger(GroupInbox.class.getName());

  /** From this number of unread messages on, dispensable messages are dropped. */
  private static final int DROP_THRESHOLD = 1_000;

  /** From this number of unread messages on, no further task of the group is begun. */
  private static final int MAX_UNREAD = 2_000;

  private static final Duration COUNT_INTERVAL = Duration.ofSeconds(1);

  private final GroupName group;
  private final MailboxDirectory folder;
  private final PreallocatedFiles blanks;
  private final InstantSource clock;
  private final AtomicLong number = new AtomicLong();

  /** The maximum of unread messages that this hub has written; guarded by this. */
  private int unread = Integer.MAX_VALUE;

  private Instant countedAt = Instant.MIN;

  GroupInbox(
      GroupName group, MailboxDirectory folder, PreallocatedFiles blanks, InstantSource clock) {
    this.group = group;
    this.folder = folder;
    this.blanks = blanks;
    this.clock = clock;
  }

  /** A message with the number that begins the name of its file. */
  record NumberedFile(String number, InboxMessage message) {
    private String file() {
      return number + "-" + message.kind() + ".json";
    }

    private String text() {
      return JsonWriter.compact(message.content()) + "\n";
    }
  }

  /** Gives the message the next number of this time. */
  NumberedFile numbered(InboxMessage message) {
    long next = number.incrementAndGet() % 1_000_000;
    return new NumberedFile("%d-%06d".formatted(clock.instant().toEpochMilli(), next), message);
  }

  /** Gives the message the number of its event, so that a second copy replaces the first. */
  static NumberedFile numbered(InboxMessage message, Log.LogEntry event) {
    return new NumberedFile(
        "%d-%012d".formatted(event.at().toEpochMilli(), event.cursor()), message);
  }

  /** Returns whether the group has the maximum of unread messages. */
  boolean full() {
    return has(MAX_UNREAD);
  }

  /**
   * Writes the message. Drops a dispensable message if the group does not read. Returns false if it
   * could not be written.
   */
  boolean put(NumberedFile message) {
    return (message.message().dispensable() && has(DROP_THRESHOLD))
        || putAll(List.of(message)) == 1;
  }

  /** Writes the messages in order until one fails. Returns the number of written messages. */
  int putAll(List<NumberedFile> messages) {
    if (messages.isEmpty()) {
      return 0;
    }
    try {
      return folder.opened(open -> putAll(open, messages));
    } catch (IOException e) {
      logFailure(messages.getFirst(), e);
      return 0;
    }
  }

  private int putAll(DirectoryHandle open, List<NumberedFile> messages) {
    int written = 0;
    try {
      for (NumberedFile message : messages) {
        blanks.write(open, message.file(), message.text());
        written++;
      }
    } catch (IOException e) {
      logFailure(messages.get(written), e);
    }
    wrote(written);
    return written;
  }

  private void logFailure(NumberedFile message, IOException e) {
    LOG.log(
        Level.WARNING,
        "Writing {0} for group {1} failed ({2}); a receipt or an answer is written later.",
        message.file(),
        group,
        e.getMessage());
  }

  private synchronized void wrote(int messages) {
    unread = (int) Math.min(Integer.MAX_VALUE, (long) unread + messages);
  }

  /**
   * Returns whether this many messages are unread. The folder is counted only if the estimate says
   * so, so a group that reads costs no listing.
   */
  private synchronized boolean has(int many) {
    Instant now = clock.instant();
    if (unread >= many && !now.isBefore(countedAt.plus(COUNT_INTERVAL))) {
      countedAt = now;
      try {
        unread = folder.count(MAX_UNREAD);
      } catch (IOException e) {
        LOG.log(
            Level.WARNING,
            "Counting the unread messages of group {0} failed; the inbox counts as empty.",
            group,
            e);
        unread = 0;
      }
    }
    return unread >= many;
  }
}
