package dev.midcourse.agents.process.input;

import dev.midcourse.agents.process.input.ProcessInput.InputWriteResult;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;

/**
 * The input of a program that reads an ordinary pipe, for systems without FIFOs. Each input has its
 * own platform thread for writing, so a program that does not read blocks no other program. The
 * pipe is closed when the hub ends.
 */
public final class PipeInput implements ProcessInput {

  private final OutputStream pipe;
  private final BooleanSupplier programIsGone;
  private final LinkedBlockingQueue<Frame> frames = new LinkedBlockingQueue<>();
  private final Thread writer;

  public PipeInput(OutputStream pipe, BooleanSupplier programIsGone) {
    this.pipe = pipe;
    this.programIsGone = programIsGone;
    this.writer = Thread.ofPlatform().name("process-input").daemon().start(this::writeAll);
  }

  /** The state of a frame. A frame can be withdrawn only while it is waiting. */
  private enum FrameState {
    WAITING,
    BEGUN,
    WRITTEN,
    BROKEN,
    TAKEN_BACK
  }

  private static final class Frame {
    final byte[] bytes;
    final AtomicReference<FrameState> place = new AtomicReference<>(FrameState.WAITING);
    final CountDownLatch over = new CountDownLatch(1);

    Frame(byte[] bytes) {
      this.bytes = bytes;
    }
  }

  @Override
  public InputWriteResult write(byte[] bytes, Duration timeout) throws InterruptedException {
    if (programIsGone.getAsBoolean() || !writer.isAlive()) {
      return new InputWriteResult.Gone();
    }
    Frame frame = new Frame(bytes.clone());
    frames.add(frame);
    boolean over = frame.over.await(timeout.toNanos(), TimeUnit.NANOSECONDS);
    if (!over && frame.place.compareAndSet(FrameState.WAITING, FrameState.TAKEN_BACK)) {
      frames.remove(frame);
      return programIsGone.getAsBoolean()
          ? new InputWriteResult.Gone()
          : new InputWriteResult.Full();
    }
    return switch (frame.place.get()) {
      case WRITTEN -> new InputWriteResult.Written();
      case BROKEN, TAKEN_BACK -> new InputWriteResult.Gone();
      // Only the kernel knows how many bytes were written. The rest follows while the program
      // reads.
      case BEGUN, WAITING -> new InputWriteResult.Torn(0);
    };
  }

  private void writeAll() {
    boolean broken = false;
    try {
      while (!broken) {
        Frame frame = frames.take();
        if (frame.place.compareAndSet(FrameState.WAITING, FrameState.BEGUN)) {
          broken = !write(frame);
        }
      }
    } catch (InterruptedException closed) {
      // The input is closed.
    }
    for (Frame frame = frames.poll(); frame != null; frame = frames.poll()) {
      frame.place.set(FrameState.BROKEN);
      frame.over.countDown();
    }
  }

  private boolean write(Frame frame) {
    boolean written;
    try {
      pipe.write(frame.bytes);
      pipe.flush();
      written = true;
    } catch (IOException broken) {
      written = false;
    }
    frame.place.set(written ? FrameState.WRITTEN : FrameState.BROKEN);
    frame.over.countDown();
    return written;
  }

  @Override
  public boolean isTorn() {
    return false;
  }

  @Override
  public void close() {
    writer.interrupt();
  }
}
