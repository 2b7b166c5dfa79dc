package dev.midcourse.agents.git;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The file with the user's own ignore patterns. It is the only setting of the user that is read:
 * without it, the files that the user's git ignores everywhere would count as work that is not
 * committed. Patterns name no programs.
 */
final class UserIgnoreFile {
  private UserIgnoreFile() {}

  static Optional<Path> path() {
    return Git.userSetting("core.excludesFile").map(Path::of).filter(Files::isRegularFile);
  }
}
