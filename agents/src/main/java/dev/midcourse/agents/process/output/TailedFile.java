package dev.midcourse.agents.process.output;

import dev.midcourse.agents.process.attempt.ProcessExit;
import dev.midcourse.agents.process.os.DirectoryWatcher;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Reads one file to its end each time it is woken. Reads in chunks, so that a flooded file takes
 * turns with other files and does not delay them.
 */
final class TailedFile implements Tail {

  static final int MAX_CHUNK = 64 * 1024;

  private static final System.Logger LOG = System.getLogger(TailedFile.class.getName());

  private final Path path;
  private final FileChannel file;
  private final OutputListener listener;
  private final FairReadScheduler turns;
  private final Thread reader;
  private final AtomicBoolean wanted = new AtomicBoolean(true);
  private volatile long offset;
  private volatile boolean closed;
  private volatile @Nullable ProcessExit exit;
  private DirectoryWatcher.@Nullable Registration registration;

  private TailedFile(
      Path path, FileChannel file, long from, OutputListener listener, FairReadScheduler turns) {
    this.path = path;
    this.file = file;
    this.offset = from;
    this.listener = listener;
    this.turns = turns;
    this.reader = Thread.ofVirtual().name("follow " + path).unstarted(this::run);
  }

  static TailedFile open(Path path, long from, OutputListener listener, FairReadScheduler turns)
      throws IOException {
    FileChannel file =
        FileChannel.open(path, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS));
    if (from < 0 || from > file.size()) {
      long size = file.size();
      file.close();
      throw new IOException("offset " + from + " is not within " + path + " of " + size + " bytes");
    }
    return new TailedFile(path, file, from, listener, turns);
  }

  void start(DirectoryWatcher.Registration where) {
    registration = where;
    reader.start();
  }

  /** Tells the reader that the file may have more bytes. */
  void wake() {
    if (!wanted.getAndSet(true)) {
      LockSupport.unpark(reader);
    }
  }

  void exited(ProcessExit how) {
    exit = how;
    wake();
  }

  @Override
  public long offset() {
    return offset;
  }

  private void run() {
    try (file) {
      boolean exitReported = false;
      while (!closed) {
        if (!wanted.getAndSet(false)) {
          LockSupport.park(this);
          continue;
        }
        // The exit is read before the file, so bytes written before the exit are delivered before
        // it.
        ProcessExit known = exit;
        readToEnd();
        listener.caughtUp();
        if (known != null && !exitReported && !closed) {
          exitReported = true;
          listener.exited(known);
          forgetInterrupt();
        }
      }
    } catch (IOException failure) {
      fail(failure);
    } catch (InterruptedException asked) {
      fail(new IOException("following " + path + " was interrupted", asked));
    } catch (RuntimeException failure) {
      fail(new IOException("the listener of " + path + " failed", failure));
    } finally {
      unregister();
    }
  }

  /** Reads the first chunk at once. Each further chunk waits for a turn of the scheduler. */
  private void readToEnd() throws IOException, InterruptedException {
    boolean more = readChunk();
    while (more) {
      try (FairReadScheduler.Turn _ = turns.take()) {
        more = readChunk();
      }
    }
  }

  /** Reads one chunk. Returns whether there was anything to read. */
  private boolean readChunk() throws IOException {
    long size = file.size();
    if (closed || size == offset) {
      return false;
    }
    if (size < offset) {
      throw new IOException(path + " was cut to " + size + " bytes, " + offset + " were read");
    }
    byte[] chunk = new byte[(int) Math.min(MAX_CHUNK, size - offset)];
    readFully(chunk);
    long after = offset + chunk.length;
    listener.bytes(chunk, after);
    forgetInterrupt();
    offset = after;
    return true;
  }

  /**
   * Clears the interrupt flag, which only a listener can have set. An interrupt would close the
   * file channel.
   */
  private static void forgetInterrupt() {
    boolean _ = Thread.interrupted();
  }

  private void readFully(byte[] chunk) throws IOException {
    ByteBuffer buffer = ByteBuffer.wrap(chunk);
    while (buffer.hasRemaining()) {
      if (file.read(buffer, offset + buffer.position()) < 0) {
        throw new IOException(path + " was cut while it was read");
      }
    }
  }

  private void fail(IOException failure) {
    if (closed) {
      return;
    }
    LOG.log(
        System.Logger.Level.ERROR, "Reading " + path + " failed; no more of it is read.", failure);
    try {
      listener.failed(failure);
    } catch (RuntimeException again) {
      LOG.log(
          System.Logger.Level.ERROR,
          "The listener of " + path + " failed while it handled that failure.",
          again);
    }
  }

  private void unregister() {
    DirectoryWatcher.Registration where = registration;
    if (where != null) {
      where.close();
    }
  }

  @Override
  public void close() {
    closed = true;
    wanted.set(true);
    LockSupport.unpark(reader);
    if (!reader.equals(Thread.currentThread())) {
      joinReader();
    }
  }

  private void joinReader() {
    boolean interrupted = false;
    while (reader.isAlive()) {
      try {
        reader.join();
      } catch (InterruptedException asked) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
