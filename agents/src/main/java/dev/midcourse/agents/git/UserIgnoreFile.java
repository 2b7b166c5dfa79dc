package dev.midcourse.agents.git;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * The file with the user's own ignore patterns. It is the only setting of the user that is read:
 * without it, the files that the user's git ignores everywhere would count as work that is not
 * committed. Patterns name no programs.
 */
final class UserIgnoreFile {
  private UserIgnoreFile() {}

  static Optional<Path> path() {
    try (Git.Running asked = ask()) {
      return path(asked);
    }
  }

  /** Begins to ask git for the file. */
  static Git.Running ask() {
    return Git.askUser("core.excludesFile");
  }

  private static Optional<Path> path(Git.Running asked) {
    return Git.userSetting(asked).map(Path::of).filter(Files::isRegularFile);
  }

  /** Returns the variables that make git use the file. */
  static Map<String, String> variables(Git.Running asked) {
    return path(asked)
        .map(file ->
            Map.of(
                "GIT_CONFIG_COUNT",
                "1",
                "GIT_CONFIG_KEY_0",
                "core.excludesFile",
                "GIT_CONFIG_VALUE_0",
                file.toString()))
        .orElse(Map.of());
  }
}
