package dev.midcourse.agents.process.tree;

import dev.midcourse.agents.process.attempt.AttemptFolder;
import dev.midcourse.agents.process.attempt.ProcessExit;
import dev.midcourse.agents.process.os.DirectoryWatcher;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Detects that a program has ended. The {@code exit} file gives an immediate notice. If the wrapper
 * was killed as well, the next full scan of the {@link DirectoryWatcher} detects the end.
 */
public final class ExitNotice {

  private static final System.Logger LOG = System.getLogger(ExitNotice.class.getName());

  private final AttemptFolder folder;
  private final ProcessTree tree;
  private final CompletableFuture<ProcessExit> exit = new CompletableFuture<>();

  /** Allows one check at a time, since a check for living processes can take long. */
  private final ReentrantLock looking = new ReentrantLock();

  private final AtomicBoolean complained = new AtomicBoolean();
  private volatile DirectoryWatcher.@Nullable Registration registration;

  public ExitNotice(AttemptFolder folder, ProcessTree tree) {
    this.folder = folder;
    this.tree = tree;
  }

  public void start(DirectoryWatcher folders) {
    DirectoryWatcher.Registration where = folders.register(folder.path(), this::changed);
    registration = where;
    var _ = exit.thenRun(where::close);
    lookForFile();
  }

  private void changed(Optional<String> file) {
    if (file.isEmpty()) {
      Thread.startVirtualThread(this::checkAlive);
    } else if (file.get().equals(AttemptFolder.EXIT)) {
      Thread.startVirtualThread(this::lookForFile);
    }
  }

  private void lookForFile() {
    try {
      folder.exit().ifPresent(exit::complete);
    } catch (IOException unreadable) {
      if (!complained.getAndSet(true)) {
        LOG.log(
            System.Logger.Level.WARNING,
            "Reading the exit status in " + folder.path() + " failed; it is read again.",
            unreadable);
      }
    }
  }

  /**
   * Reads the exit file. Without a file, reports {@link ProcessExit.Vanished} when two scans find
   * no living process and there is still no file.
   */
  public void checkAlive() {
    if (exit.isDone() || !looking.tryLock()) {
      return;
    }
    try {
      lookForFile();
      if (!exit.isDone() && tree.wrapper().isEmpty() && tree.isGone()) {
        lookForFile();
        exit.complete(new ProcessExit.Vanished());
      }
    } catch (InterruptedException asked) {
      Thread.currentThread().interrupt();
    } finally {
      looking.unlock();
    }
  }

  public Optional<ProcessExit> now() {
    return Optional.ofNullable(exit.getNow(null));
  }

  public CompletableFuture<ProcessExit> future() {
    return exit.copy();
  }

  public void whenKnown(Consumer<ProcessExit> listener) {
    var _ = exit.thenAccept(listener);
  }

  public void close() {
    DirectoryWatcher.Registration where = registration;
    if (where != null) {
      where.close();
    }
  }
}
