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

/** The folder where a group finds its letters, and about how many it has not read. */
final class GroupInbox {
  private static final System.Logger LOG = System.getLogger(GroupInbox.class.getName());

  /** From here on the group is not told what it can do without. */
  private static final int MANY_UNREAD = 1_000;

  /** From here on nothing more is done for it that would be answered. */
  private static final int MAX_UNREAD = 2_000;

  private static final Duration COUNTED_EVERY = Duration.ofSeconds(1);

  private final GroupName group;
  private final MailboxDirectory folder;
  private final PreallocatedFiles blanks;
  private final InstantSource clock;
  private final AtomicLong number = new AtomicLong();

  /** How many there are at most of those that were written here; guarded by this. */
  private int unread = Integer.MAX_VALUE;

  private Instant countedAt = Instant.MIN;

  GroupInbox(
      GroupName group, MailboxDirectory folder, PreallocatedFiles blanks, InstantSource clock) {
    this.group = group;
    this.folder = folder;
    this.blanks = blanks;
    this.clock = clock;
  }

  /** A letter, and the name of its file but for the kind. */
  record NumberedFile(String number, InboxMessage letter) {
    private String file() {
      return number + "-" + letter.kind() + ".json";
    }

    private String text() {
      return JsonWriter.compact(letter.content()) + "\n";
    }
  }

  /** The next name of a letter of now. */
  NumberedFile numbered(InboxMessage message) {
    long next = number.incrementAndGet() % 1_000_000;
    return new NumberedFile("%d-%06d".formatted(clock.instant().toEpochMilli(), next), message);
  }

  /** The name of a letter about an event: told of it again, it lies there once. */
  static NumberedFile numbered(InboxMessage message, Log.LogEntry event) {
    return new NumberedFile(
        "%d-%012d".formatted(event.at().toEpochMilli(), event.cursor()), message);
  }

  /** Whether so much lies there unread that nothing more should come. */
  boolean full() {
    return has(MAX_UNREAD);
  }

  /** Whether the letter lies there now, or was one that a group can do without that reads none. */
  boolean put(NumberedFile message) {
    return (message.letter().dispensable() && has(MANY_UNREAD)) || putAll(List.of(message)) == 1;
  }

  /** Writes letters into the folder while it is open; how many of them, from the first on. */
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

  /** Counts again when there seem to be so many; one who reads is so hardly ever counted for. */
  private synchronized boolean has(int many) {
    Instant now = clock.instant();
    if (unread >= many && !now.isBefore(countedAt.plus(COUNTED_EVERY))) {
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
