package dev.midcourse.engine;

import dev.midcourse.agents.Heard;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.steer.Steer;
import dev.midcourse.core.steer.SteerLife;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The one place where everything for a supervisor arrives. Doors never wait here; an agent that
 * talks faster than it is heard does, and so does a supervisor that has more to write down than the
 * ledger has kept. Both are counted in events: however much an agent says at a time, what others
 * write to the ledger never waits behind more than this.
 */
public final class Slot {
  private static final int MOST_UNHEARD = 512;
  private static final int MOST_UNKEPT = 1_024;

  private final LinkedBlockingQueue<Letter> letters = new LinkedBlockingQueue<>();
  private final Semaphore roomForAgent = new Semaphore(MOST_UNHEARD);
  private final Semaphore roomForLedger = new Semaphore(MOST_UNKEPT);
  private volatile boolean closed;

  /** There is no supervisor any more who could do it; the ledger has the last word. */
  public static final class Gone extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  public void put(Letter letter) {
    letters.add(letter);
    if (closed) {
      sendBack();
    }
  }

  /** Nobody reads here any more: who waits for an answer is told so at once. */
  public void close() {
    closed = true;
    sendBack();
  }

  private void sendBack() {
    for (Letter letter = letters.poll(); letter != null; letter = letters.poll()) {
      switch (letter) {
        case Letter.About about -> about.answer().completeExceptionally(new Gone());
        case Letter.Reply reply -> reply.done().completeExceptionally(new Gone());
        case Letter.FromAgent(_, Heard heard) -> roomForAgent.release(weight(heard));
        case Letter.Stored _,
            Letter.SteerTold _,
            Letter.Stop _,
            Letter.StopTold _,
            Letter.NotKept _,
            Letter.Leave _,
            Letter.Look _ -> {}
      }
    }
  }

  /** Called by the agent's ear; waits while too much is unheard. */
  void fromAgent(int attempt, Heard heard) {
    roomForAgent.acquireUninterruptibly(weight(heard));
    put(new Letter.FromAgent(attempt, heard));
  }

  private static int weight(Heard heard) {
    return Math.clamp(heard.events().size(), 1, MOST_UNHEARD);
  }

  /** Everything that has arrived, waiting for the first of it at most so long. */
  List<Letter> take(Optional<Duration> atMost) throws InterruptedException {
    List<Letter> taken = new ArrayList<>();
    Letter first =
        atMost.isPresent()
            ? letters.poll(Math.max(0, atMost.get().toNanos()), TimeUnit.NANOSECONDS)
            : letters.take();
    if (first != null) {
      taken.add(first);
      letters.drainTo(taken);
    }
    for (Letter letter : taken) {
      if (letter instanceof Letter.FromAgent(_, Heard heard)) {
        roomForAgent.release(weight(heard));
      }
    }
    return taken;
  }

  /**
   * Hands in what the desk has booked, at leisure where nobody waits for it, and tells when it is
   * durable; a failure comes back as a letter.
   */
  void handIn(Desk desk, Runnable kept) {
    if (!desk.nothingBooked()) {
      handIn(
          desk,
          desk.awaited() ? Desk::handIn : Desk::handInAtLeisure,
          failure -> {
            if (failure.isEmpty()) {
              kept.run();
            }
          });
    }
  }

  /** Hands in what the desk has booked, and tells when it is durable or why it is not. */
  void handIn(Desk desk, Consumer<Optional<RuntimeException>> then) {
    if (desk.nothingBooked()) {
      then.accept(Optional.empty());
    } else {
      handIn(desk, Desk::handIn, then);
    }
  }

  private void handIn(
      Desk desk,
      Function<Desk, CompletableFuture<Run>> how,
      Consumer<Optional<RuntimeException>> then) {
    int weight = Math.clamp(desk.eventsBooked(), MOST_UNKEPT / 64, MOST_UNKEPT);
    roomForLedger.acquireUninterruptibly(weight);
    var _ =
        how.apply(desk)
            .whenComplete((_, error) -> {
              roomForLedger.release(weight);
              Optional<RuntimeException> failure = Optional.ofNullable(error).map(Slot::plain);
              failure.ifPresent(why -> put(new Letter.NotKept(why)));
              then.accept(failure);
            });
  }

  /** Answers an author once what came of the wish is durable. */
  void answerWhenKept(Desk desk, CompletableFuture<Steer> answer, SteerLife.Outcome outcome) {
    switch (outcome) {
      case SteerLife.Outcome.Changed(Steer steer) ->
          handIn(
              desk,
              failure ->
                  failure.ifPresentOrElse(
                      answer::completeExceptionally, () -> answer.complete(steer)));
      case SteerLife.Outcome.NotPossible(var problem) ->
          answer.completeExceptionally(problem.refused());
      case SteerLife.Outcome.Stale(String why) ->
          answer.completeExceptionally(new IllegalStateException(why));
    }
  }

  private static RuntimeException plain(Throwable error) {
    Throwable cause =
        error instanceof CompletionException wrapped && wrapped.getCause() != null
            ? wrapped.getCause()
            : error;
    return cause instanceof RuntimeException plain ? plain : new IllegalStateException(cause);
  }
}
