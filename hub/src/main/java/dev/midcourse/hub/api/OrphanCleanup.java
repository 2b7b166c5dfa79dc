package dev.midcourse.hub.api;

import dev.midcourse.agents.mail.FileTrees;
import dev.midcourse.agents.mail.MailboxDirectory;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.id.RunId;
import dev.midcourse.engine.Engine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Deletes the folders, checkouts and progress files of runs that the ledger does not have. A run is
 * in the ledger before its folder exists, so a folder that is listed first and then has no run is
 * an orphan. Symbolic links are deleted, never followed.
 */
record OrphanCleanup(Engine engine) {
  private static final Logger LOG = System.getLogger(OrphanCleanup.class.getName());

  void removeOrphans() {
    Path data = engine.settings().folder();
    for (Path folder : folders(data.resolve("runs"))) {
      if (isOrphan(folder.getFileName().toString())) {
        remove(folder);
      }
    }
    engine.dispatching().removeUnknownCheckouts();
    Path boxes = data.resolve("ipc");
    for (Path box : folders(boxes)) {
      if (Files.isDirectory(box.resolve("progress"), LinkOption.NOFOLLOW_LINKS)) {
        removeProgress(
            new MailboxDirectory(boxes, List.of(box.getFileName().toString(), "progress")));
      }
    }
  }

  private void removeProgress(MailboxDirectory progress) {
    try {
      for (String name : progress.all()) {
        if (isOrphan(name)) {
          progress.removeFolder(name);
        }
      }
    } catch (IOException e) {
      LOG.log(
          Level.WARNING,
          "Deleting the progress of deleted runs in {0} failed ({1}); the next prune tries again.",
          progress.path(),
          e.getMessage());
    }
  }

  private boolean isOrphan(String name) {
    return id(name).filter(run -> engine.ledger().read(r -> r.run(run)).isEmpty()).isPresent();
  }

  private static List<Path> folders(Path runs) {
    try (Stream<Path> found = Files.list(runs)) {
      return found.toList();
    } catch (IOException none) {
      return List.of();
    }
  }

  private static Optional<RunId> id(String name) {
    try {
      return Optional.of(RunId.of(name));
    } catch (RefusedException notARun) {
      return Optional.empty();
    }
  }

  private static void remove(Path folder) {
    try {
      FileTrees.delete(folder);
    } catch (UncheckedIOException e) {
      LOG.log(
          Level.WARNING,
          "Deleting the folder {0} of a deleted run failed ({1}); the next prune tries again.",
          folder,
          e.getCause());
    }
  }
}
