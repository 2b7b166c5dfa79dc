package dev.midcourse.agents.mail;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.ClosedDirectoryStreamException;
import java.time.Duration;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Creates empty files in advance, while no message is written, because some file systems take
 * twenty times as long to create a file as to write into one. The number of files is the largest
 * number of messages that were written between two quiet periods, at most 2,000. The next hub uses
 * the files that a hub leaves.
 */
public final class PreallocatedFiles implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(PreallocatedFiles.class.getName());
  private static final int MAX = 2_000;
  private static final Duration QUIET = Duration.ofMillis(100);

  private final MailboxDirectory place;
  private final int max;
  private final Queue<String> blanks = new ConcurrentLinkedQueue<>();

  /** The number of empty files. */
  private final AtomicInteger count = new AtomicInteger();

  /** The number of messages that were written since the last quiet period. */
  private final AtomicInteger written = new AtomicInteger();

  private final Semaphore signal = new Semaphore(0);
  private final Thread maker =
      Thread.ofPlatform().daemon().name("blanks").unstarted(this::runAllocator);
  private volatile long lastWritten;
  private volatile Optional<DirectoryHandle> folder = Optional.empty();

  /**
   * Creates no files before {@link #open}.
   *
   * @param place a folder to which only Midcourse can write, on the file system of the mailboxes
   */
  public PreallocatedFiles(MailboxDirectory place) {
    this(place, MAX);
  }

  PreallocatedFiles(MailboxDirectory place, int max) {
    this.place = place;
    this.max = max;
  }

  /** Takes over the empty files of an earlier hub, and starts to create files. */
  public void open() throws IOException {
    DirectoryHandle open = place.made().open();
    folder = Optional.of(open);
    for (String left : open.all()) {
      if (open.isEmpty(left) && count.get() < max) {
        add(left);
      } else {
        open.forget(left);
      }
    }
    maker.start();
  }

  int count() {
    return count.get();
  }

  private void add(String blank) {
    blanks.add(blank);
    count.incrementAndGet();
  }

  /** Writes a message. A reader sees the whole file or no file. */
  public void write(DirectoryHandle to, String name, String text) throws IOException {
    lastWritten = System.nanoTime();
    written.incrementAndGet();
    signal.release();
    @Nullable String blank = blanks.poll();
    if (blank == null || !filled(blank, text, to, name)) {
      to.write(name, text);
    }
  }

  /**
   * Returns false if the empty file cannot be used, for example for a folder on another file
   * system.
   */
  private boolean filled(String blank, String text, DirectoryHandle to, String name) {
    count.decrementAndGet();
    DirectoryHandle from = folder.orElseThrow();
    try {
      from.overwrite(blank, text);
      return from.move(blank, to, name);
    } catch (IOException why) {
      LOG.log(
          Level.DEBUG,
          "using a preallocated file failed ({0}); the message gets a new file",
          why.getMessage());
      from.forget(blank);
      return false;
    } catch (ClosedDirectoryStreamException goingDown) {
      return false;
    }
  }

  private void runAllocator() {
    DirectoryHandle here = folder.orElseThrow();
    int wanted = count.get();
    try {
      while (true) {
        signal.acquire();
        awaitQuiet();
        signal.drainPermits();
        wanted = Math.clamp(written.getAndSet(0), wanted, max);
        make(here, wanted);
      }
    } catch (InterruptedException closed) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Creates files until there are {@code wanted}. Stops when a message is written, and continues in
   * the next quiet period.
   */
  private void make(DirectoryHandle here, int wanted) {
    try {
      while (count.get() < wanted && isQuiet() && !Thread.currentThread().isInterrupted()) {
        add(here.make(""));
      }
    } catch (IOException e) {
      LOG.log(
          Level.WARNING,
          "preallocating message files failed ({0}); messages get new files",
          e.getMessage());
    }
  }

  private boolean isQuiet() {
    return System.nanoTime() - lastWritten >= QUIET.toNanos();
  }

  private void awaitQuiet() throws InterruptedException {
    while (!isQuiet()) {
      Thread.sleep(QUIET);
    }
  }

  @Override
  public void close() {
    maker.interrupt();
    try {
      maker.join();
      if (folder.isPresent()) {
        folder.get().close();
      }
    } catch (InterruptedException asked) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      LOG.log(
          Level.DEBUG,
          "Closing the preallocated files failed; they are closed when the hub exits.",
          e);
    }
  }
}
