package dev.midcourse.agents.process;

import dev.midcourse.agents.process.attempt.AttemptFolder;
import dev.midcourse.agents.process.attempt.OutputFile;
import dev.midcourse.agents.process.attempt.ProcessExit;
import dev.midcourse.agents.process.attempt.ProcessMarker;
import dev.midcourse.agents.process.attempt.WrapperRecord;
import dev.midcourse.agents.process.input.FifoInput;
import dev.midcourse.agents.process.input.NoInput;
import dev.midcourse.agents.process.input.PipeInput;
import dev.midcourse.agents.process.input.ProcessInput;
import dev.midcourse.agents.process.input.ProcessInput.InputWriteResult;
import dev.midcourse.agents.process.output.OutputListener;
import dev.midcourse.agents.process.output.OutputTailer;
import dev.midcourse.agents.process.output.OutputTrimmer;
import dev.midcourse.agents.process.output.Tail;
import dev.midcourse.agents.process.tree.ExitNotice;
import dev.midcourse.agents.process.tree.ProcessTree;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A program that runs, or ran, in its attempt folder. The hub can write to it, follow its output
 * and end it, no matter which hub started it. {@link #close} does not end the program.
 */
public final class HostedProcess implements AutoCloseable {

  private final AttemptFolder folder;
  private final ProcessMarker mark;
  private final ProcessInput input;
  private final OutputTailer outputs;
  private final OutputTrimmer space;
  private final ExitNotice exit;
  private final ProcessTree tree;

  HostedProcess(
      AttemptFolder folder,
      ProcessMarker mark,
      ProcessInput input,
      OutputTailer outputs,
      OutputTrimmer space,
      ExitNotice exit,
      ProcessTree tree) {
    this.folder = folder;
    this.mark = mark;
    this.input = input;
    this.outputs = outputs;
    this.space = space;
    this.exit = exit;
    this.tree = tree;
  }

  public AttemptFolder folder() {
    return folder;
  }

  /**
   * Returns the process id of the program's wrapper, for display, or 0 if there is no wrapper
   * record.
   */
  public long pid() {
    try {
      return folder.wrapper().map(WrapperRecord::pid).orElse(0L);
    } catch (IOException unreadable) {
      return 0;
    }
  }

  public ProcessMarker mark() {
    return mark;
  }

  /**
   * Writes a frame to the program's input, whole or not at all. Frames of several callers do not
   * mix. Waits for room at most for {@code timeout}, without blocking a carrier thread.
   */
  public InputWriteResult write(byte[] frame, Duration timeout) throws InterruptedException {
    return frame.length == 0 ? new InputWriteResult.Written() : input.write(frame, timeout);
  }

  /**
   * Returns whether a hub that died during the write of an oversized frame left the beginning of
   * that frame in the program's input. The next frame ends this state. That frame should therefore
   * begin with the bytes that end a torn frame.
   */
  public boolean isInputTorn() {
    return input.isTorn();
  }

  /** Returns whether another hub can write to the program after this hub has ended. */
  public boolean outlivesUs() {
    return switch (input) {
      case FifoInput fifo -> true;
      case PipeInput pipe -> false;
      case NoInput none -> false;
    };
  }

  /** Follows an output file from an offset. The offset must not be beyond the end of the file. */
  public Tail follow(OutputFile file, long from, OutputListener listener) throws IOException {
    return outputs.follow(folder, file, from, listener, exit);
  }

  /** Returns how many bytes the program has written to this file. */
  public long written(OutputFile file) throws IOException {
    return Files.size(folder.output(file));
  }

  /**
   * Frees the disk space of this file before the offset. The caller must not follow the file from
   * an earlier offset any more.
   */
  public void forget(OutputFile file, long upTo) {
    space.giveBack(folder, file, upTo);
  }

  /**
   * Returns how the program ended, if the program has ended. Processes that the program started may
   * live longer: see {@link #tree()}.
   */
  public Optional<ProcessExit> exit() {
    return exit.now();
  }

  /**
   * Returns a future that completes when the program has ended. The future never completes
   * exceptionally.
   */
  public CompletableFuture<ProcessExit> onExit() {
    return exit.future();
  }

  public ProcessTree tree() {
    return tree;
  }

  /**
   * Stops the notices and closes the input. The program and the tails of its output are not
   * affected.
   */
  @Override
  public void close() {
    exit.close();
    input.close();
  }
}
