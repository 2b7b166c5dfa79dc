package dev.midcourse.agents.process.output;

import dev.midcourse.agents.process.attempt.AttemptFolder;
import dev.midcourse.agents.process.attempt.OutputFile;
import dev.midcourse.agents.process.os.DirectoryWatcher;
import dev.midcourse.agents.process.tree.ExitNotice;
import java.io.IOException;

/**
 * Follows the output files of all programs from any offset. Delivers every byte once and in order.
 * Each file has a virtual thread, and one {@link DirectoryWatcher} wakes them all.
 */
public final class OutputTailer implements AutoCloseable {

  private final DirectoryWatcher folders;
  private final FairReadScheduler turns = FairReadScheduler.open();

  public OutputTailer(DirectoryWatcher folders) {
    this.folders = folders;
  }

  /**
   * Follows a file. The listener gets the exit of the program after all bytes that the program
   * wrote before its exit.
   */
  public Tail follow(
      AttemptFolder folder, OutputFile file, long from, OutputListener listener, ExitNotice exit)
      throws IOException {
    TailedFile followed = TailedFile.open(folder.output(file), from, listener, turns);
    // Registered before the first read, so that no change between the two is missed.
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

  /** Stops the scheduler of reads. Open tails are not closed. */
  @Override
  public void close() {
    turns.close();
  }
}
