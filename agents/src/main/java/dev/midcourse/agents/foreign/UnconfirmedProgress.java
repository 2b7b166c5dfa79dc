package dev.midcourse.agents.foreign;

import dev.midcourse.agents.mail.MailboxDirectory;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Progress files that were reported and may not be stored in the ledger yet. Each file gets a
 * hidden name that contains the offset of its event, and is deleted when the ledger has stored that
 * offset. If a hub ends before that, the next hub reports exactly these files again.
 */
final class UnconfirmedProgress {
  /** Sorts before every name that a worker writes. */
  private static final String FIRST = "0-";

  private static final String REPORTED_PREFIX = ".told-";
  private static final Pattern NAME =
      Pattern.compile(Pattern.quote(REPORTED_PREFIX) + "\\d{18}-\\d+\\.json");

  /** More files than a hub ever leaves. A worker that creates such names harms only itself. */
  private static final int MAX = 20_000;

  private record StoredProgress(long upTo, String file) {}

  private final MailboxDirectory folder;
  private final Deque<StoredProgress> unconfirmed = new ArrayDeque<>();
  private long count;

  UnconfirmedProgress(MailboxDirectory folder) {
    this.folder = folder;
  }

  /** Renames the files. Call this before the events are reported. */
  void putBy(List<ForeignMessages.WorkerMessage> messages, long upTo) throws IOException {
    if (messages.isEmpty()) {
      return;
    }
    folder.opened(open -> {
      for (ForeignMessages.WorkerMessage message : messages) {
        String file = "%s%018d-%d.json".formatted(REPORTED_PREFIX, upTo, count++);
        if (open.move(message.file(), open, file)) {
          unconfirmed.add(new StoredProgress(upTo, file));
        }
      }
      return folder;
    });
  }

  /** Deletes the files whose events the ledger has stored. */
  void kept(long upTo) throws IOException {
    if (unconfirmed.isEmpty() || unconfirmed.getFirst().upTo() > upTo) {
      return;
    }
    folder.opened(open -> {
      for (StoredProgress stored = unconfirmed.peek();
          stored != null && stored.upTo() <= upTo;
          stored = unconfirmed.peek()) {
        open.delete(stored.file());
        unconfirmed.remove();
      }
      return folder;
    });
  }

  /**
   * Restores the state after another hub. The ledger has stored the events up to {@code keptTo}.
   */
  void resume(long keptTo) throws IOException {
    folder.opened(open -> {
      for (String file : open.some(name -> NAME.matcher(name).matches(), MAX)) {
        if (reportedTo(file) <= keptTo) {
          open.delete(file);
        } else {
          open.move(file, open, FIRST + file.substring(REPORTED_PREFIX.length()));
        }
      }
      return folder;
    });
  }

  private static long reportedTo(String file) {
    int from = REPORTED_PREFIX.length();
    return Long.parseLong(file.substring(from, file.indexOf('-', from)));
  }

  void forget() throws IOException {
    kept(Long.MAX_VALUE);
    resume(Long.MAX_VALUE);
  }
}
