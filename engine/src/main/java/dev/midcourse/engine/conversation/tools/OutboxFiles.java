package dev.midcourse.engine.conversation.tools;

import dev.midcourse.agents.mail.FileTrees;
import dev.midcourse.agents.mail.MailboxDirectory;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.chat.outbound.FileName;
import dev.midcourse.core.chat.outbound.OutboundId;
import dev.midcourse.ledger.Ledger;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * The copies of files that wait in the outbox or were sent, each in a folder with the id of its
 * message. Only Midcourse writes here, so a file stays as it was when its agent sent it.
 */
public final class OutboxFiles {
  private static final Logger LOG = System.getLogger(OutboxFiles.class.getName());
  private static final String FOLDER = "outbox";

  private final Path data;

  public OutboxFiles(Path data) {
    this.data = data;
  }

  /** Stores the content. Returns its path from the data folder. */
  String store(OutboundId id, FileName name, byte[] content) throws IOException {
    Path folder = new MailboxDirectory(data, List.of(FOLDER, id.value())).made().path();
    Path file = folder.resolve(name.value());
    Files.write(
        file,
        content,
        StandardOpenOption.CREATE_NEW,
        StandardOpenOption.WRITE,
        StandardOpenOption.SYNC);
    return data.relativize(file).toString();
  }

  /** Removes the copy of a message that was not put into the outbox. */
  void remove(OutboundId id) {
    delete(data.resolve(FOLDER).resolve(id.value()));
  }

  /**
   * Removes the copies whose messages are not in the outbox: those of deleted messages, and those
   * that a hub left behind when it was killed. Called before an agent can send a file.
   */
  public void removeOrphans(Ledger ledger) {
    for (Path folder : folders()) {
      if (isOrphan(ledger, String.valueOf(folder.getFileName()))) {
        delete(folder);
      }
    }
  }

  private static boolean isOrphan(Ledger ledger, String name) {
    try {
      OutboundId id = OutboundId.of(name);
      return ledger.read(r -> r.chats().outbound(id)).isEmpty();
    } catch (RefusedException notAnId) {
      return false; // not made by this class
    }
  }

  private List<Path> folders() {
    Path all = data.resolve(FOLDER);
    List<Path> found = new ArrayList<>();
    if (Files.isDirectory(all, LinkOption.NOFOLLOW_LINKS)) {
      try (DirectoryStream<Path> entries = Files.newDirectoryStream(all)) {
        entries.forEach(found::add);
      } catch (IOException e) {
        LOG.log(
            Level.WARNING,
            "Listing {0} failed ({1}). Copies of sent files stay there until the next start.",
            all,
            e.getMessage());
      }
    }
    return found;
  }

  private static void delete(Path folder) {
    try {
      FileTrees.delete(folder);
    } catch (UncheckedIOException e) {
      LOG.log(
          Level.WARNING,
          "Removing {0} failed ({1}). The next start tries it again.",
          folder,
          e.getMessage());
    }
  }
}
