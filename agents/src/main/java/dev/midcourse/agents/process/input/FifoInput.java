package dev.midcourse.agents.process.input;

import dev.midcourse.agents.process.attempt.AttemptFolder;
import dev.midcourse.agents.process.input.ProcessInput.InputWriteResult;
import dev.midcourse.agents.process.os.Libc;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * The input of a program that reads a FIFO. The program itself holds the FIFO open, so any hub can
 * write to it.
 *
 * <p><b>Why {@code kill -9} of the writer cannot tear a frame.</b> A frame is passed to one {@code
 * write(2)}, and only when the pipe surely has room for the whole frame ({@link PipeCapacity}).
 * There is one writer, and the reader can only make more room. In that call the kernel checks for
 * signals only when the pipe is full and the call would have to wait. With room for the whole
 * frame, the kernel copies all of the frame under the pipe's lock and handles the kill afterwards.
 * The pipe then has the whole frame, or none of it if the kill came before the call. Bytes in the
 * pipe stay there as long as the program lives, because the program holds both ends.
 *
 * <p>Only a frame that is larger than the largest allowed pipe is written in parts. During that
 * write a file in the folder marks the input as torn, so that the next hub can detect it.
 */
public final class FifoInput implements ProcessInput {

  /** The largest pipe that an unprivileged process may request by default. */
  static final int MAX_PIPE = 1 << 20;

  /**
   * The default size of a pipe. Pipes return to this size, since Linux limits the sum over all
   * pipes of a user.
   */
  private static final int DEFAULT_PIPE = 1 << 16;

  private static final long FIRST_WAIT_NANOS = TimeUnit.MICROSECONDS.toNanos(500);
  private static final long MAX_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final Duration UNLIMITED = Duration.ofDays(365);
  private static final byte[] NOTHING = new byte[0];

  private final Libc libc;
  private final String fifo;
  private final Path tornSign;
  private final BooleanSupplier programIsGone;
  private final int maxPipe;

  /** Guards the open pipe, {@link #unfinished} and the order of frames. */
  private final ReentrantLock writer = new ReentrantLock(true);

  private byte[] unfinished = NOTHING;
  private volatile boolean torn;
  private volatile boolean closed;

  public FifoInput(Libc libc, AttemptFolder folder, BooleanSupplier programIsGone) {
    this(libc, folder, programIsGone, MAX_PIPE);
  }

  FifoInput(Libc libc, AttemptFolder folder, BooleanSupplier programIsGone, int maxPipe) {
    this.libc = libc;
    this.fifo = folder.file(AttemptFolder.IN).toString();
    this.tornSign = folder.file(AttemptFolder.TORN);
    this.programIsGone = programIsGone;
    this.maxPipe = maxPipe;
    this.torn = Files.exists(tornSign);
  }

  /**
   * Creates the FIFO. Returns false if the creation fails, for example where the file system has no
   * FIFOs.
   */
  public static boolean make(Libc libc, AttemptFolder folder) {
    return libc.mkfifo(folder.file(AttemptFolder.IN).toString()) == 0;
  }

  @Override
  public InputWriteResult write(byte[] frame, Duration timeout) throws InterruptedException {
    WriteDeadline waiting = new WriteDeadline(timeout);
    if (!writer.tryLock(timeout.toNanos(), TimeUnit.NANOSECONDS)) {
      return new InputWriteResult.Full();
    }
    try {
      InputWriteResult fed = opened(pipe -> write(pipe, frame, waiting));
      if (fed instanceof InputWriteResult.Torn) {
        Thread.ofVirtual().name("finish " + fifo).start(this::finish);
      }
      return fed;
    } finally {
      writer.unlock();
    }
  }

  /** An operation on the open pipe. */
  private interface PipeWork {
    InputWriteResult on(int pipe) throws InterruptedException;
  }

  private InputWriteResult opened(PipeWork work) throws InterruptedException {
    if (programIsGone.getAsBoolean()) {
      return new InputWriteResult.Gone();
    }
    int pipe = libc.openFifo(fifo);
    if (pipe < 0) {
      return unopened(-pipe);
    }
    try {
      return work.on(pipe);
    } finally {
      libc.close(pipe);
    }
  }

  /**
   * Writes the rest of a torn frame while the program reads. Releases the lock between two
   * attempts, so that other writers can write.
   */
  private void finish() {
    WriteDeadline waiting = new WriteDeadline(UNLIMITED);
    try {
      while (!closed && finishing() instanceof InputWriteResult.Torn) {
        boolean _ = waiting.awaitNext();
      }
    } catch (InterruptedException asked) {
      Thread.currentThread().interrupt();
    }
  }

  private InputWriteResult finishing() throws InterruptedException {
    writer.lock();
    try {
      return unfinished.length == 0
          ? new InputWriteResult.Written()
          : opened(pipe -> inParts(pipe, unfinished, 0, new WriteDeadline(Duration.ZERO)));
    } finally {
      writer.unlock();
    }
  }

  private static InputWriteResult unopened(int errno) {
    return switch (errno) {
      case Libc.ENXIO, Libc.ENOENT, Libc.ENOTDIR -> new InputWriteResult.Gone();
      default ->
          throw new UncheckedIOException(
              new IOException("the input cannot be opened: errno " + errno));
    };
  }

  private InputWriteResult write(int pipe, byte[] frame, WriteDeadline waiting)
      throws InterruptedException {
    if (unfinished.length > 0
        && !(inParts(pipe, unfinished, 0, waiting) instanceof InputWriteResult.Written)) {
      return programIsGone.getAsBoolean()
          ? new InputWriteResult.Gone()
          : new InputWriteResult.Full();
    }
    while (true) {
      PipeCapacity room = room(pipe);
      if (room.takes(frame.length) || grows(pipe, room.capacityFor(frame.length))) {
        int written = libc.write(pipe, frame, 0);
        if (written == frame.length) {
          settled();
          return new InputWriteResult.Written();
        }
        if (written == -Libc.EPIPE) {
          return new InputWriteResult.Gone();
        }
        if (written > 0) {
          // The kernel ran out of memory within the call. The rest of the frame must follow.
          return inParts(pipe, frame, written, waiting);
        }
      } else if (!canEverTake(pipe, room, frame.length)) {
        InputWriteResult fed = inParts(pipe, frame, 0, waiting);
        if (fed.equals(new InputWriteResult.Torn(0))) {
          settled();
          return new InputWriteResult.Full();
        }
        return fed;
      }
      if (programIsGone.getAsBoolean()) {
        return new InputWriteResult.Gone();
      }
      if (!waiting.awaitNext()) {
        return new InputWriteResult.Full();
      }
    }
  }

  /**
   * Returns the room in the pipe. First shrinks an empty pipe that had grown to its default size.
   */
  private PipeCapacity room(int pipe) {
    int capacity = libc.pipeCapacity(pipe);
    int unread = libc.unread(pipe);
    if (capacity < 0 || unread < 0) {
      throw new UncheckedIOException(new IOException("the input is not a pipe: " + fifo));
    }
    if (unread == 0 && capacity > DEFAULT_PIPE) {
      libc.setPipeCapacity(pipe, DEFAULT_PIPE);
      capacity = libc.pipeCapacity(pipe);
    }
    return new PipeCapacity(capacity, unread, libc.pageSize());
  }

  private boolean grows(int pipe, long wanted) {
    return wanted <= maxPipe && libc.setPipeCapacity(pipe, (int) wanted) >= wanted;
  }

  /** Returns whether the frame will fit once the program has read all unread bytes. */
  private boolean canEverTake(int pipe, PipeCapacity room, int length) {
    long wanted = new PipeCapacity(room.capacity(), 0, room.pageSize()).capacityFor(length);
    return wanted <= room.capacity() || grows(pipe, wanted);
  }

  /**
   * Writes the frame in parts while the program reads. On return {@link #unfinished} holds the
   * bytes that are still to be written.
   */
  private InputWriteResult inParts(int pipe, byte[] frame, int from, WriteDeadline waiting)
      throws InterruptedException {
    tear();
    int done = from;
    unfinished = Arrays.copyOfRange(frame, done, frame.length);
    while (done < frame.length) {
      int written = libc.write(pipe, frame, done);
      if (written > 0) {
        done += written;
        unfinished = Arrays.copyOfRange(frame, done, frame.length);
        waiting.restart();
      } else if (written == -Libc.EPIPE || programIsGone.getAsBoolean()) {
        return new InputWriteResult.Gone();
      } else if (!waiting.awaitNext()) {
        return new InputWriteResult.Torn(done);
      }
    }
    settled();
    return new InputWriteResult.Written();
  }

  private void tear() {
    torn = true;
    try {
      Files.write(tornSign, NOTHING);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /**
   * Removes the torn mark. The caller has just written the end of a whole frame, or nothing of the
   * frame.
   */
  private void settled() {
    unfinished = NOTHING;
    if (!torn) {
      return;
    }
    torn = false;
    try {
      Files.deleteIfExists(tornSign);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  @Override
  public boolean isTorn() {
    return torn;
  }

  @Override
  public void close() {
    closed = true;
  }

  /** Short waits, each twice as long as the one before up to a maximum, until a deadline. */
  private static final class WriteDeadline {
    private final long deadline;
    private long wait = FIRST_WAIT_NANOS;

    WriteDeadline(Duration timeout) {
      deadline = System.nanoTime() + timeout.toNanos();
    }

    void restart() {
      wait = FIRST_WAIT_NANOS;
    }

    /** Waits for a short time. Returns false when the deadline has passed. */
    boolean awaitNext() throws InterruptedException {
      long left = deadline - System.nanoTime();
      if (left <= 0) {
        return false;
      }
      TimeUnit.NANOSECONDS.sleep(Math.min(wait, left));
      wait = Math.min(2 * wait, MAX_WAIT_NANOS);
      return true;
    }
  }
}
