package dev.midcourse.agents.sandbox;

import dev.midcourse.agents.git.PrivateRepository;
import dev.midcourse.agents.process.attempt.AttemptFolder;
import dev.midcourse.core.RefusedException;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The record of the workspace whose git folder a sandbox has replaced, in the attempt folder. Every
 * hub that ends the attempt reads it and takes over the commits.
 */
final class RepositoryRecord {
  private static final Logger LOG = System.getLogger(RepositoryRecord.class.getName());
  private static final String FILE = "workspace";

  private RepositoryRecord() {}

  static void writeTo(AttemptFolder folder, Path workspace) throws IOException {
    Files.writeString(
        folder.path().resolve(FILE),
        workspace.toRealPath().toString(),
        StandardOpenOption.CREATE_NEW,
        StandardOpenOption.WRITE);
  }

  /**
   * Takes over the commits of the program, and puts the repositories aside that it has put at the
   * places of submodules. A repository that cannot be used is logged and left for the next use,
   * because the end of a program does not depend on it.
   */
  static void importCommits(AttemptFolder folder) throws IOException {
    Path file = folder.path().resolve(FILE);
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    Path workspace = Path.of(Files.readString(file));
    try {
      PrivateRepository.of(workspace).ifPresent(PrivateRepository::importCommits);
    } catch (RefusedException refused) {
      LOG.log(
          Level.WARNING,
          "The commits of the agent in {0} were not taken over: {1}",
          workspace,
          refused.description());
    }
    putForeignSubmodulesAside(workspace);
  }

  private static void putForeignSubmodulesAside(Path workspace) {
    try {
      PrivateRepository.of(workspace).stream()
          .flatMap(its -> its.putForeignSubmodulesAside().stream())
          .forEach(what -> LOG.log(Level.WARNING, "{0}.", what));
    } catch (RefusedException refused) {
      LOG.log(
          Level.WARNING,
          "Repositories that the agent may have put at the places of submodules in {0} were not put"
              + " aside: {1}",
          workspace,
          refused.description());
    }
  }
}
