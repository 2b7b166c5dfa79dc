package dev.midcourse.agents.process.output;

import dev.midcourse.agents.process.attempt.AttemptFolder;
import dev.midcourse.agents.process.attempt.OutputFile;
import dev.midcourse.agents.process.os.DirectoryWatcher;
import dev.midcourse.agents.process.tree.ExitNotice;
import java.io.IOException;

/**
 * Follows the output files of all programs from any offset: every byte once and in order, with a
 * virtual thread per file, woken by one {@link DirectoryWatcher}.
 */
public final class OutputTailer implements AutoCloseable {

  private final DirectoryWatcher folders;
  private final FairReadScheduler turns = FairReadScheduler.open();

  public OutputTailer(DirectoryWatcher folders) {
    this.folders = folders;
  }

  /** Follows a file; the exit notice, once it comes, is passed on in its place. */
  public Tail follow(
      AttemptFolder folder, OutputFile file, long from, OutputListener listener, ExitNotice exit)
      throws IOException {
    TailedFile followed = TailedFile.open(folder.output(file), from, listener, turns);
    // Registered before the first read, so that no change falls between the two.
    DirectoryWatcher.Registration registration =
        folders.register(
            folder.path(),
            changed -> {
              if (changed.isEmpty() || changed.get().equals(file.fileName())) {
                followed.wake();
              }
            });
    followed.start(registration);
    exit.whenKnown(followed::exited);
    return followed;
  }

  /** Lets go of the threads; what is still followed is not woken any more. */
  @Override
  public void close() {
    turns.close();
  }
}
