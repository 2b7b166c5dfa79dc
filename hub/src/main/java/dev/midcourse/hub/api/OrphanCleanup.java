package dev.midcourse.hub.api;

import dev.midcourse.agents.mail.MailboxDirectory;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.id.RunId;
import dev.midcourse.engine.Engine;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Removes what is left of runs that the ledger no longer knows: their folders, their checkouts, and
 * what foreign workers said of them. A run is in the ledger before it has a folder, so a folder
 * that was seen first and then has no run belongs to none. Links are removed, never followed.
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
      LOG.log(Level.WARNING, "{0} could not be swept: {1}", progress.path(), e.getMessage());
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
      Files.walkFileTree(
          folder,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes is) throws IOException {
              Files.delete(file);
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path dir, @Nullable IOException e)
                throws IOException {
              Files.delete(dir);
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (IOException e) {
      LOG.log(Level.WARNING, "{0} could not be removed: {1}", folder, e.getMessage());
    }
  }
}
