package dev.midcourse.agents.foreign;

import dev.midcourse.agents.process.os.DirectoryWatcher;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Rings for what a worker does in a folder, and not for what else happens there.
 *
 * @param written the names that the worker writes
 * @param taken the names that it deletes
 */
record FolderChangeFilter(Predicate<String> written, Predicate<String> taken, Runnable bell)
    implements DirectoryWatcher.Listener {

  @Override
  public void changed(Optional<String> file) {
    if (file.isEmpty() || written.test(file.get())) {
      bell.run();
    }
  }

  @Override
  public void gone(String file) {
    if (taken.test(file)) {
      bell.run();
    }
  }
}
