package dev.midcourse.agents.foreign;

import dev.midcourse.agents.process.os.DirectoryWatcher;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Runs {@code onChange} for the changes that a worker makes in a folder, and ignores other changes.
 *
 * @param written the names that the worker writes
 * @param taken the names that the worker deletes
 */
record FolderChangeFilter(Predicate<String> written, Predicate<String> taken, Runnable onChange)
    implements DirectoryWatcher.Listener {

  @Override
  public void changed(Optional<String> file) {
    if (file.isEmpty() || written.test(file.get())) {
      onChange.run();
    }
  }

  @Override
  public void gone(String file) {
    if (taken.test(file)) {
      onChange.run();
    }
  }
}
