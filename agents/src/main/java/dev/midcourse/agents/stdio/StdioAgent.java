package dev.midcourse.agents.stdio;

import dev.midcourse.agents.AgentEventBatch;
import dev.midcourse.agents.AgentEventBatch.OutputCheckpoint;
import dev.midcourse.agents.AgentListener;
import dev.midcourse.agents.hosted.HostedDriver.HostedAgent;
import dev.midcourse.agents.hosted.ProcessTermination;
import dev.midcourse.agents.process.HostedProcess;
import dev.midcourse.agents.process.attempt.OutputFile;
import dev.midcourse.agents.process.attempt.ProcessExit;
import dev.midcourse.agents.process.framing.FrameDecoder;
import dev.midcourse.agents.process.framing.FrameDecoder.OutputFrame;
import dev.midcourse.agents.process.input.ProcessInput.InputWriteResult;
import dev.midcourse.agents.process.output.OutputListener;
import dev.midcourse.agents.process.output.Tail;
import dev.midcourse.agents.process.tree.StopTimeouts;
import dev.midcourse.core.agent.AgentEvent;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.run.AskAnswer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A hosted program and its protocol. The output is processed in order and each message once; each
 * batch of events carries the offset that it completes. {@code Exited} is the last event, after all
 * output. The program continues to run when the hub ends, and the next hub can attach to it.
 */
final class StdioAgent implements HostedAgent, OutputListener {
  private static final System.Logger LOG = System.getLogger(StdioAgent.class.getName());

  /** The events that end the wait for the steer that was written last. */
  private static final Set<Class<?>> ANSWERS =
      Set.of(
          AgentEvent.SteerAccepted.class,
          AgentEvent.SteerNotTaken.class,
          AgentEvent.SteerRefused.class,
          AgentEvent.TurnEnded.class);

  /** The time that a write waits for a program that does not read its input. */
  private static final Duration TIMEOUT = Duration.ofMillis(500);

  /**
   * The time that a reply waits. It is longer, because the agent cannot continue without a
   * handshake.
   */
  private static final Duration REPLY_TIMEOUT = Duration.ofSeconds(10);

  /** The exit code of a program that Midcourse ended because it cannot do its task. */
  private static final int FATAL_EXIT_CODE = 1;

  private static final int UNKNOWN_EXIT_CODE = -1;

  private final HostedProcess program;
  private final Framing framing;
  private final AgentListener listener;
  private final FrameDecoder decoder;

  /** Guards the protocol: one thread reads, others write. */
  private final ReentrantLock codec = new ReentrantLock();

  private final Protocol protocol;
  private final Backlog backlog;
  private long readTo;
  private long reportedTo;
  private volatile @Nullable Tail following;
  private volatile boolean over;

  /** The steer that was written last and is not answered yet; guarded by {@link #codec}. */
  private Optional<SteerId> unanswered = Optional.empty();

  StdioAgent(
      HostedProcess program,
      Framing framing,
      Protocol protocol,
      OutputCheckpoint from,
      AgentListener listener) {
    this.program = program;
    this.framing = framing;
    this.protocol = protocol;
    this.listener = listener;
    this.readTo = from.offset();
    this.reportedTo = from.offset();
    this.backlog = new Backlog(program, from.offset());
    this.decoder = framing.decoder(from.offset());
  }

  @Override
  public void greet() {
    write(Protocol::hello, TIMEOUT);
  }

  @Override
  public void listen() {
    if (program.isInputTorn()) {
      feed(framing.endOfTornFrame(), TIMEOUT);
    }
    try {
      following = program.follow(OutputFile.OUT, readTo, this);
    } catch (IOException failure) {
      Thread.startVirtualThread(() -> failed(failure));
    }
    closeIfFinished();
  }

  // ---- writing

  @Override
  public long pid() {
    return program.pid();
  }

  @Override
  public WriteResult prompt(int number, String message) {
    return write(words -> words.prompt(number, message), TIMEOUT);
  }

  @Override
  public WriteResult steer(SteerId steer, String message) {
    codec.lock();
    try {
      if (!protocol.keepsOrder() && unanswered.isPresent()) {
        return WriteResult.INPUT_FULL;
      }
      unanswered = Optional.of(steer);
    } finally {
      codec.unlock();
    }
    WriteResult sent = write(words -> words.steer(steer, message), TIMEOUT);
    if (sent != WriteResult.WRITTEN) {
      answered();
    }
    return sent;
  }

  private void answered() {
    codec.lock();
    try {
      unanswered = Optional.empty();
    } finally {
      codec.unlock();
    }
  }

  @Override
  public WriteResult interrupt() {
    return write(Protocol::interrupt, TIMEOUT);
  }

  @Override
  public WriteResult withdraw(SteerId steer) {
    return write(words -> words.withdraw(steer), TIMEOUT);
  }

  @Override
  public WriteResult answer(String ask, AskAnswer answer) {
    return write(words -> words.answer(ask, answer), TIMEOUT);
  }

  @Override
  public WriteResult barrier(String name) {
    return write(words -> words.barrier(name), TIMEOUT);
  }

  private WriteResult write(Function<Protocol, List<String>> words, Duration timeout) {
    List<String> messages;
    codec.lock();
    try {
      messages = words.apply(protocol);
    } finally {
      codec.unlock();
    }
    return messages.isEmpty() ? WriteResult.UNSUPPORTED : feed(framing.frames(messages), timeout);
  }

  private WriteResult feed(byte[] frame, Duration timeout) {
    try {
      return switch (program.write(frame, timeout)) {
        case InputWriteResult.Written() -> WriteResult.WRITTEN;
        case InputWriteResult.Full() -> WriteResult.INPUT_FULL;
        case InputWriteResult.Gone() -> WriteResult.EXITED;
        // The rest of the frame is written before any other message, so the message cannot be
        // withdrawn.
        case InputWriteResult.Torn(int _) -> WriteResult.WRITTEN;
      };
    } catch (InterruptedException asked) {
      Thread.currentThread().interrupt();
      return WriteResult.INPUT_FULL;
    } catch (UncheckedIOException unwritable) {
      LOG.log(
          Level.WARNING,
          "Writing to the input of the agent in "
              + program.folder().path()
              + " failed. The message counts as not written.",
          unwritable);
      return WriteResult.INPUT_FULL;
    }
  }

  // ---- reading: called by one thread, the reader of the output

  @Override
  public void bytes(byte[] chunk, long offsetAfter) {
    if (over) {
      return;
    }
    OutputBatch batch = new OutputBatch();
    decoder.feed(chunk, batch::take);
    report(batch);
    batch.fatal.ifPresent(why -> giveUp(FATAL_EXIT_CODE, why));
    backlog.readTo(offsetAfter, readTo).ifPresent(why -> giveUp(UNKNOWN_EXIT_CODE, why));
  }

  @Override
  public void caughtUp() {
    backlog.boundErrors();
  }

  @Override
  public void keptTo(long offset) {
    backlog.keptTo(offset);
  }

  @Override
  public void exited(ProcessExit exit) {
    if (over) {
      return;
    }
    OutputBatch last = new OutputBatch();
    decoder.rest().ifPresent(last::take);
    last.events.add(ProcessTermination.exited(program, exit));
    report(last);
    over = true;
    closeIfFinished();
  }

  /** Ends the agent, because an agent with unreadable output cannot be steered. */
  @Override
  public void failed(IOException failure) {
    giveUp(UNKNOWN_EXIT_CODE, "its output could not be read any further: " + failure.getMessage());
  }

  /** Ends the program before its exit is reported, so that the report is true. */
  private void giveUp(int code, String why) {
    if (over) {
      return;
    }
    try {
      end(StopTimeouts.IMMEDIATE);
    } catch (IllegalStateException alive) {
      LOG.log(
          Level.ERROR,
          "The failed agent in "
              + program.folder().path()
              + " could not be ended. Its exit is reported anyway; its processes may still run.",
          alive);
    }
    OutputBatch last = new OutputBatch();
    last.events.add(new AgentEvent.Exited(code, why));
    report(last);
    over = true;
    closeIfFinished();
  }

  /** The messages of one chunk: their events, their replies, and the offset of their end. */
  private final class OutputBatch {
    private final List<AgentEvent> events = new ArrayList<>();
    private final List<String> replies = new ArrayList<>();
    private Optional<String> fatal = Optional.empty();

    void take(OutputFrame frame) {
      switch (frame) {
        case OutputFrame.Whole(String text, long _) when text.isBlank() -> {}
        case OutputFrame.Whole(String text, long _) -> {
          ProtocolOutput output = read(text);
          events.addAll(output.events());
          if (output.events().stream().map(Object::getClass).anyMatch(ANSWERS::contains)) {
            answered();
          }
          replies.addAll(output.replies());
          fatal = fatal.or(output::fatal);
        }
        case OutputFrame.Cut(String prefix, long dropped, long _) ->
            events.add(ProtocolOutput.garbage(prefix, prefix.length() + dropped));
        case OutputFrame.Stray(String text, long _) ->
            events.add(ProtocolOutput.garbage(text, text.length()));
      }
      readTo = frame.endOffset();
    }
  }

  private ProtocolOutput read(String text) {
    codec.lock();
    try {
      return protocol.read(text);
    } catch (RuntimeException notUnderstood) {
      LOG.log(
          Level.DEBUG,
          "A message of the agent in "
              + program.folder().path()
              + " was not understood; it is reported as garbage.",
          notUnderstood);
      return ProtocolOutput.garbage(text);
    } finally {
      codec.unlock();
    }
  }

  private String memo() {
    codec.lock();
    try {
      return protocol.memo();
    } finally {
      codec.unlock();
    }
  }

  /**
   * Writes the replies, then reports the events. Lines without events are not reported until there
   * are {@link Backlog#STEP_BYTES} bytes of them, because reading them again gives no events
   * either.
   */
  private void report(OutputBatch batch) {
    if (!batch.replies.isEmpty()
        && feed(framing.frames(batch.replies), REPLY_TIMEOUT) == WriteResult.INPUT_FULL) {
      batch.events.add(new AgentEvent.Waiting("it does not read what it asked for"));
    }
    boolean nothingNew = batch.events.isEmpty() && readTo - reportedTo < Backlog.STEP_BYTES;
    if (nothingNew || over) {
      return;
    }
    reportedTo = readTo;
    try {
      listener.onEvents(new AgentEventBatch(batch.events, new OutputCheckpoint(readTo, memo())));
    } catch (RuntimeException brokenListener) {
      LOG.log(
          Level.ERROR,
          "The events of the agent in "
              + program.folder().path()
              + " could not be handed over. Its output is no longer read; the program keeps"
              + " running, and the next hub reads on from the last stored event.",
          brokenListener);
      over = true;
      closeIfFinished();
    }
  }

  // ---- the end

  @Override
  public StopResult end(StopTimeouts timeouts) {
    boolean asks = !protocol.endSession().isEmpty();
    return ProcessTermination.end(
        program,
        asks ? timeouts : timeouts.withoutAsk(),
        () -> write(Protocol::endSession, Duration.ZERO));
  }

  /** Starts no further read. Does not wait for a read that is in progress. */
  @Override
  public void detach() {
    over = true;
    closeIfFinished();
  }

  /**
   * Closes in another thread: closing waits for the reader, and the reader may wait for the caller.
   */
  private void closeIfFinished() {
    Tail file = following;
    if (over && file != null) {
      Thread.startVirtualThread(() -> {
        file.close();
        program.close();
      });
    }
  }
}
