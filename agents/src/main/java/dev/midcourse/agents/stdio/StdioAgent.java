package dev.midcourse.agents.stdio;

import dev.midcourse.agents.Ear;
import dev.midcourse.agents.Heard;
import dev.midcourse.agents.Heard.Place;
import dev.midcourse.agents.hosted.HostedAgent;
import dev.midcourse.agents.hosted.ProgramEnd;
import dev.midcourse.agents.process.Exit;
import dev.midcourse.agents.process.Fed;
import dev.midcourse.agents.process.Following;
import dev.midcourse.agents.process.Hosted;
import dev.midcourse.agents.process.OutputFile;
import dev.midcourse.agents.process.OutputListener;
import dev.midcourse.agents.process.Piece;
import dev.midcourse.agents.process.Splitter;
import dev.midcourse.core.agent.AgentEvent;
import dev.midcourse.core.id.SteerId;
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
 * A hosted program and the protocol it speaks. Its output is heard in order, each line once, with
 * the place it makes complete; its exit is the last thing heard, after all it wrote. It stays as it
 * is when the hub goes, and is the same agent for the next one.
 */
final class StdioAgent implements HostedAgent, OutputListener {
  private static final System.Logger LOG = System.getLogger(StdioAgent.class.getName());

  /** What an agent says when it has dealt with the steer that was written last. */
  private static final Set<Class<?>> ANSWERS =
      Set.of(
          AgentEvent.SteerAccepted.class,
          AgentEvent.SteerNotTaken.class,
          AgentEvent.SteerRefused.class,
          AgentEvent.TurnEnded.class);

  /** How long a write waits for a program that does not read just now. */
  private static final Duration PATIENCE = Duration.ofMillis(500);

  /** Handshakes are waited for longer: without them the agent goes nowhere. */
  private static final Duration PATIENCE_FOR_REPLIES = Duration.ofSeconds(10);

  /** What one exits with that leaves because it cannot do what it was started for. */
  private static final int BY_ITS_OWN_WORD = 1;

  private static final int NOBODY_KNOWS = -1;

  private final Hosted program;
  private final Framing framing;
  private final Ear ear;
  private final Splitter splitter;

  /** Guards the protocol: one thread reads, others write. */
  private final ReentrantLock codec = new ReentrantLock();

  private final Protocol protocol;
  private final Backlog backlog;
  private long heardTo;
  private long toldTo;
  private volatile @Nullable Following following;
  private volatile boolean over;

  /** The steer that was written last and is not answered for yet; guarded by the codec's lock. */
  private Optional<SteerId> unanswered = Optional.empty();

  StdioAgent(Hosted program, Framing framing, Protocol protocol, Place from, Ear ear) {
    this.program = program;
    this.framing = framing;
    this.protocol = protocol;
    this.ear = ear;
    this.heardTo = from.offset();
    this.toldTo = from.offset();
    this.backlog = new Backlog(program, from.offset());
    this.splitter = framing.splitter(from.offset());
  }

  @Override
  public void greet() {
    write(Protocol::hello, PATIENCE);
  }

  @Override
  public void listen() {
    if (program.isInputTorn()) {
      feed(framing.endOfTornFrame(), PATIENCE);
    }
    try {
      following = program.follow(OutputFile.OUT, heardTo, this);
    } catch (IOException failure) {
      Thread.startVirtualThread(() -> failed(failure));
    }
    letGoIfOver();
  }

  // ---- writing

  @Override
  public long pid() {
    return program.pid();
  }

  @Override
  public Sent prompt(int number, String message) {
    return write(words -> words.prompt(number, message), PATIENCE);
  }

  @Override
  public Sent steer(SteerId steer, String message) {
    codec.lock();
    try {
      if (!protocol.keepsOrder() && unanswered.isPresent()) {
        return Sent.CLOGGED;
      }
      unanswered = Optional.of(steer);
    } finally {
      codec.unlock();
    }
    Sent sent = write(words -> words.steer(steer, message), PATIENCE);
    if (sent != Sent.WRITTEN) {
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
  public Sent interrupt() {
    return write(Protocol::interrupt, PATIENCE);
  }

  @Override
  public Sent withdraw(SteerId steer) {
    return write(words -> words.withdraw(steer), PATIENCE);
  }

  @Override
  public Sent answer(String ask, Answer answer) {
    return write(words -> words.answer(ask, answer), PATIENCE);
  }

  @Override
  public Sent barrier(String name) {
    return write(words -> words.barrier(name), PATIENCE);
  }

  private Sent write(Function<Protocol, List<String>> words, Duration patience) {
    List<String> messages;
    codec.lock();
    try {
      messages = words.apply(protocol);
    } finally {
      codec.unlock();
    }
    return messages.isEmpty() ? Sent.UNSUPPORTED : feed(framing.frames(messages), patience);
  }

  private Sent feed(byte[] frame, Duration patience) {
    try {
      return switch (program.write(frame, patience)) {
        case Fed.Written() -> Sent.WRITTEN;
        case Fed.Full() -> Sent.CLOGGED;
        case Fed.Gone() -> Sent.GONE;
        // Begun, and it goes on before anything else is written: it cannot be taken back.
        case Fed.Torn(int _) -> Sent.WRITTEN;
      };
    } catch (InterruptedException asked) {
      Thread.currentThread().interrupt();
      return Sent.CLOGGED;
    } catch (UncheckedIOException unwritable) {
      LOG.log(Level.WARNING, "an agent's input cannot be written to", unwritable);
      return Sent.CLOGGED;
    }
  }

  // ---- hearing: called by one thread, the reader of the output

  @Override
  public void bytes(byte[] chunk, long offsetAfter) {
    if (over) {
      return;
    }
    Hearing hearing = new Hearing();
    splitter.feed(chunk, hearing::take);
    tell(hearing);
    hearing.hopeless.ifPresent(why -> giveUp(BY_ITS_OWN_WORD, why));
    backlog.readTo(offsetAfter, heardTo).ifPresent(why -> giveUp(NOBODY_KNOWS, why));
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
  public void exited(Exit exit) {
    if (over) {
      return;
    }
    Hearing last = new Hearing();
    splitter.rest().ifPresent(last::take);
    last.events.add(ProgramEnd.exited(program, exit));
    tell(last);
    over = true;
    letGoIfOver();
  }

  /** What cannot be heard cannot be steered. */
  @Override
  public void failed(IOException failure) {
    giveUp(NOBODY_KNOWS, "its output could not be read any further: " + failure.getMessage());
  }

  /** It is ended first, so that its exit is true when told. */
  private void giveUp(int code, String why) {
    if (over) {
      return;
    }
    try {
      end(new Grace(Duration.ZERO, Duration.ZERO));
    } catch (IllegalStateException alive) {
      LOG.log(Level.ERROR, "an agent that is of no use cannot be ended either", alive);
    }
    Hearing last = new Hearing();
    last.events.add(new AgentEvent.Exited(code, why));
    tell(last);
    over = true;
    letGoIfOver();
  }

  /** Messages of one chunk: what they mean, what is written back, and how far they reach. */
  private final class Hearing {
    private final List<AgentEvent> events = new ArrayList<>();
    private final List<String> replies = new ArrayList<>();
    private Optional<String> hopeless = Optional.empty();

    void take(Piece piece) {
      switch (piece) {
        case Piece.Whole(String text, long _) when text.isBlank() -> {}
        case Piece.Whole(String text, long _) -> {
          Reaction reaction = read(text);
          events.addAll(reaction.events());
          if (reaction.events().stream().map(Object::getClass).anyMatch(ANSWERS::contains)) {
            answered();
          }
          replies.addAll(reaction.replies());
          hopeless = hopeless.or(reaction::hopeless);
        }
        case Piece.Cut(String prefix, long dropped, long _) ->
            events.add(Reaction.garbage(prefix, prefix.length() + dropped));
        case Piece.Stray(String text, long _) -> events.add(Reaction.garbage(text, text.length()));
      }
      heardTo = piece.endOffset();
    }
  }

  private Reaction read(String text) {
    codec.lock();
    try {
      return protocol.read(text);
    } catch (RuntimeException notUnderstood) {
      LOG.log(Level.DEBUG, "not understood", notUnderstood);
      return Reaction.garbage(text);
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
   * Lines without events are not told until there are many: whoever reads on from before them gets
   * nothing else.
   */
  private void tell(Hearing hearing) {
    if (!hearing.replies.isEmpty()
        && feed(framing.frames(hearing.replies), PATIENCE_FOR_REPLIES) == Sent.CLOGGED) {
      hearing.events.add(new AgentEvent.Waiting("it does not read what it asked for"));
    }
    boolean nothingNew = hearing.events.isEmpty() && heardTo - toldTo < Backlog.MUCH;
    if (nothingNew || over) {
      return;
    }
    toldTo = heardTo;
    try {
      ear.heard(new Heard(hearing.events, new Place(heardTo, memo())));
    } catch (RuntimeException brokenEar) {
      LOG.log(Level.ERROR, "nobody hears the agent any more; it is left running", brokenEar);
      over = true;
      letGoIfOver();
    }
  }

  // ---- the end

  @Override
  public Ended end(Grace grace) {
    boolean asks = !protocol.goodbye().isEmpty();
    return ProgramEnd.end(
        program,
        asks ? grace : new Grace(Duration.ZERO, grace.afterTerm()),
        () -> write(Protocol::goodbye, Duration.ZERO));
  }

  /** No hearing begins after this; one that is under way is not waited for. */
  @Override
  public void detach() {
    over = true;
    letGoIfOver();
  }

  /** Closing waits for the reader, which may be waiting for whoever calls this. */
  private void letGoIfOver() {
    Following file = following;
    if (over && file != null) {
      Thread.startVirtualThread(() -> {
        file.close();
        program.close();
      });
    }
  }
}
