package dev.midcourse.agents.process;

import dev.midcourse.agents.process.attempt.AttemptFolder;
import dev.midcourse.agents.process.attempt.OutputFile;
import dev.midcourse.agents.process.attempt.ProcessExit;
import dev.midcourse.agents.process.attempt.ProcessMarker;
import dev.midcourse.agents.process.attempt.WrapperRecord;
import dev.midcourse.agents.process.input.FifoInput;
import dev.midcourse.agents.process.input.InputWriteResult;
import dev.midcourse.agents.process.input.NoInput;
import dev.midcourse.agents.process.input.PipeInput;
import dev.midcourse.agents.process.input.ProcessInput;
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
 * A program that runs, or ran, in its folder: to be written to, followed and ended, the same
 * whether this hub started it or found it. Letting go of it does not touch it.
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

  /** The number of the program's wrapper, for people; 0 if there never was one. */
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
   * Writes a frame to the program's input, whole or not at all; frames of several callers do not
   * mix. Waits for room at most as long as the patience lasts, without holding a carrier thread.
   */
  public InputWriteResult write(byte[] frame, Duration patience) throws InterruptedException {
    return frame.length == 0 ? new InputWriteResult.Written() : input.write(frame, patience);
  }

  /**
   * Whether a hub that died while writing an oversized frame left its beginning in the program's
   * input. The next frame written ends this state, so it should begin with what ends a torn frame.
   */
  public boolean isInputTorn() {
    return input.isTorn();
  }

  /** Whether another hub can go on writing to the program after this one is gone. */
  public boolean outlivesUs() {
    return switch (input) {
      case FifoInput fifo -> true;
      case PipeInput pipe -> false;
      case NoInput none -> false;
    };
  }

  /** Follows an output file from an offset, which must not be beyond its end. */
  public Tail follow(OutputFile file, long from, OutputListener listener) throws IOException {
    return outputs.follow(folder, file, from, listener, exit);
  }

  /** How much the program has written to this file. */
  public long written(OutputFile file) throws IOException {
    return Files.size(folder.output(file));
  }

  /** Nobody will follow this file from before the offset any more: its space can be given back. */
  public void forget(OutputFile file, long upTo) {
    space.giveBack(folder, file, upTo);
  }

  /** How the program ended, if it has. What it started may outlive it: see {@link #tree()}. */
  public Optional<ProcessExit> exit() {
    return exit.now();
  }

  /** Completes when the program has ended; never exceptionally. */
  public CompletableFuture<ProcessExit> onExit() {
    return exit.future();
  }

  public ProcessTree tree() {
    return tree;
  }

  /** Lets go: no more notices. The program and its followings are not touched. */
  @Override
  public void close() {
    exit.close();
    input.close();
  }
}
