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
 * Empty files for letters, made while nobody writes any: there are file systems that take twenty
 * times as long to make a file as to write into one. There are as many as the busiest stretch so
 * far has taken, and no more than a mailbox holds. What a hub leaves the next one takes up.
 */
public final class PreallocatedFiles implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(PreallocatedFiles.class.getName());
  private static final int MAX = 2_000;
  private static final Duration QUIET = Duration.ofMillis(100);

  private final MailboxDirectory place;
  private final int most;
  private final Queue<String> blanks = new ConcurrentLinkedQueue<>();

  /** How many there are. */
  private final AtomicInteger count = new AtomicInteger();

  /** How many letters were written since it was quiet last. */
  private final AtomicInteger written = new AtomicInteger();

  private final Semaphore bell = new Semaphore(0);
  private final Thread maker =
      Thread.ofPlatform().daemon().name("blanks").unstarted(this::runAllocator);
  private volatile long lastWritten;
  private volatile Optional<DirectoryHandle> folder = Optional.empty();

  /**
   * None until it is open.
   *
   * @param place a folder that is ours alone, on the disk of the mailboxes
   */
  public PreallocatedFiles(MailboxDirectory place) {
    this(place, MAX);
  }

  PreallocatedFiles(MailboxDirectory place, int most) {
    this.place = place;
    this.most = most;
  }

  /** Begins with those that were left. */
  public void open() throws IOException {
    DirectoryHandle open = place.made().open();
    folder = Optional.of(open);
    for (String left : open.all()) {
      if (open.isEmpty(left) && count.get() < most) {
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

  /** Writes a letter so that whoever looks sees all of it or none. */
  public void write(DirectoryHandle to, String name, String text) throws IOException {
    lastWritten = System.nanoTime();
    written.incrementAndGet();
    bell.release();
    @Nullable String blank = blanks.poll();
    if (blank == null || !filled(blank, text, to, name)) {
      to.write(name, text);
    }
  }

  /** False where it could not be done, as into a folder on another disk. */
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
        bell.acquire();
        awaitQuiet();
        bell.drainPermits();
        wanted = Math.clamp(written.getAndSet(0), wanted, most);
        make(here, wanted);
      }
    } catch (InterruptedException closed) {
      Thread.currentThread().interrupt();
    }
  }

  /** Until there are so many, or somebody writes: then more are made when it is quiet again. */
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
      LOG.log(Level.DEBUG, "the blank files are not closed", e);
    }
  }
}
