package dev.midcourse.agents.foreign;

import dev.midcourse.agents.mail.MailboxDirectory;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Progress that was told and that the ledger may not have yet. It is put by under a hidden name
 * that says up to where it was told, and deleted when that is kept; where a hub ends before, the
 * next one tells it again, and only that.
 */
final class UnconfirmedProgress {
  /** Before all that a worker writes. */
  private static final String FIRST = "0-";

  private static final String PUT_BY = ".told-";
  private static final Pattern NAME =
      Pattern.compile(Pattern.quote(PUT_BY) + "\\d{18}-\\d+\\.json");

  /** More than a hub ever leaves; a worker can make such names too, and harms itself. */
  private static final int MAX = 20_000;

  private record StoredProgress(long upTo, String file) {}

  private final MailboxDirectory folder;
  private final Deque<StoredProgress> unkept = new ArrayDeque<>();
  private long count;

  UnconfirmedProgress(MailboxDirectory folder) {
    this.folder = folder;
  }

  /** To be done before it is told. */
  void putBy(List<ForeignMessages.WorkerMessage> letters, long upTo) throws IOException {
    if (letters.isEmpty()) {
      return;
    }
    folder.opened(open -> {
      for (ForeignMessages.WorkerMessage letter : letters) {
        String file = "%s%018d-%d.json".formatted(PUT_BY, upTo, count++);
        if (open.move(letter.file(), open, file)) {
          unkept.add(new StoredProgress(upTo, file));
        }
      }
      return folder;
    });
  }

  /** Deletes what the ledger has. */
  void kept(long upTo) throws IOException {
    if (unkept.isEmpty() || unkept.getFirst().upTo() > upTo) {
      return;
    }
    folder.opened(open -> {
      for (StoredProgress told = unkept.peek();
          told != null && told.upTo() <= upTo;
          told = unkept.peek()) {
        open.delete(told.file());
        unkept.remove();
      }
      return folder;
    });
  }

  /** After another hub, of which the ledger has what it told up to here. */
  void resume(long keptTo) throws IOException {
    folder.opened(open -> {
      for (String file : open.some(name -> NAME.matcher(name).matches(), MAX)) {
        if (toldUpTo(file) <= keptTo) {
          open.delete(file);
        } else {
          open.move(file, open, FIRST + file.substring(PUT_BY.length()));
        }
      }
      return folder;
    });
  }

  private static long toldUpTo(String file) {
    int from = PUT_BY.length();
    return Long.parseLong(file.substring(from, file.indexOf('-', from)));
  }

  void forget() throws IOException {
    kept(Long.MAX_VALUE);
    resume(Long.MAX_VALUE);
  }
}
