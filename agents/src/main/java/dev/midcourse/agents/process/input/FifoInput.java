package dev.midcourse.agents.process.input;

import dev.midcourse.agents.process.attempt.AttemptFolder;
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
 * The input of a program that reads a FIFO it holds open itself, so that any hub can write to it.
 *
 * <p><b>Why a frame cannot be torn by {@code kill -9} of the writer.</b> A frame is handed to one
 * {@code write(2)}, and only when the pipe surely has room for all of it ({@link PipeCapacity});
 * there is one writer and the reader can only make more room. The kernel looks for signals in that
 * call only when the pipe is full and it would have to wait. With room for the whole frame it
 * copies all of it under the pipe's lock and acts on the kill afterwards: the pipe has the whole
 * frame, or none of it if the kill came before the call. What is in the pipe stays there as long as
 * the program lives, because the program holds both ends.
 *
 * <p>Only a frame larger than the largest pipe we may have is written in parts; a file in the
 * folder says so while it lasts, so that the next hub knows of a torn input.
 */
public final class FifoInput implements ProcessInput {

  /** What an unprivileged process may ask for by default. */
  static final int MAX_PIPE = 1 << 20;

  /** What pipes have by default; kept small, since Linux limits the sum over a user's pipes. */
  private static final int DEFAULT_PIPE = 1 << 16;

  private static final long FIRST_WAIT_NANOS = TimeUnit.MICROSECONDS.toNanos(500);
  private static final long MAX_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final Duration FOR_EVER = Duration.ofDays(365);
  private static final byte[] NOTHING = new byte[0];

  private final Libc libc;
  private final String fifo;
  private final Path tornSign;
  private final BooleanSupplier programIsGone;
  private final int largestPipe;

  /** Guards the pipe's end, {@link #unfinished} and the order of frames. */
  private final ReentrantLock writer = new ReentrantLock(true);

  private byte[] unfinished = NOTHING;
  private volatile boolean torn;
  private volatile boolean closed;

  public FifoInput(Libc libc, AttemptFolder folder, BooleanSupplier programIsGone) {
    this(libc, folder, programIsGone, MAX_PIPE);
  }

  FifoInput(Libc libc, AttemptFolder folder, BooleanSupplier programIsGone, int largestPipe) {
    this.libc = libc;
    this.fifo = folder.file(AttemptFolder.IN).toString();
    this.tornSign = folder.file(AttemptFolder.TORN);
    this.programIsGone = programIsGone;
    this.largestPipe = largestPipe;
    this.torn = Files.exists(tornSign);
  }

  /** Makes the FIFO; false where the file system has none. */
  public static boolean make(Libc libc, AttemptFolder folder) {
    return libc.mkfifo(folder.file(AttemptFolder.IN).toString()) == 0;
  }

  @Override
  public InputWriteResult write(byte[] frame, Duration patience) throws InterruptedException {
    WriteDeadline waiting = new WriteDeadline(patience);
    if (!writer.tryLock(patience.toNanos(), TimeUnit.NANOSECONDS)) {
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

  /** What is done with the open pipe. */
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

  /** Writes the rest of a torn frame as the program reads, giving way to other writers. */
  private void finish() {
    WriteDeadline waiting = new WriteDeadline(FOR_EVER);
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
          // The kernel ran out of memory within the call: the rest has to follow.
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

  /** The room now; a pipe that had to grow and is empty again is given its usual size back. */
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
    return wanted <= largestPipe && libc.setPipeCapacity(pipe, (int) wanted) >= wanted;
  }

  /** Whether the frame will fit once the program has read what is there. */
  private boolean canEverTake(int pipe, PipeCapacity room, int length) {
    long wanted = new PipeCapacity(room.capacity(), 0, room.pageSize()).capacityFor(length);
    return wanted <= room.capacity() || grows(pipe, wanted);
  }

  /** Writes as the program reads. On return {@link #unfinished} is what is still to be written. */
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

  /** A whole frame is the last thing in the pipe: nothing is torn any more. */
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

  /** Short waits that grow, up to a deadline. */
  private static final class WriteDeadline {
    private final long deadline;
    private long wait = FIRST_WAIT_NANOS;

    WriteDeadline(Duration patience) {
      deadline = System.nanoTime() + patience.toNanos();
    }

    void restart() {
      wait = FIRST_WAIT_NANOS;
    }

    /** Waits a little; false when the time is over. */
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
