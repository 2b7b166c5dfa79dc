package dev.midcourse.engine.supervise;

import dev.midcourse.agents.AgentEventBatch;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.steer.Steer;
import dev.midcourse.core.steer.SteerTransitions;
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
public final class SupervisorMailbox {
  private static final int MAX_UNHEARD = 512;
  private static final int MAX_UNKEPT = 1_024;

  private final LinkedBlockingQueue<SupervisorMessage> letters = new LinkedBlockingQueue<>();
  private final Semaphore roomForAgent = new Semaphore(MAX_UNHEARD);
  private final Semaphore roomForLedger = new Semaphore(MAX_UNKEPT);
  private volatile boolean closed;

  /** There is no supervisor any more who could do it; the ledger has the last word. */
  public static final class Gone extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  public void put(SupervisorMessage message) {
    letters.add(message);
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
    for (SupervisorMessage message = letters.poll(); message != null; message = letters.poll()) {
      switch (message) {
        case SupervisorMessage.ChangeSteer about ->
            about.answer().completeExceptionally(new Gone());
        case SupervisorMessage.Reply reply -> reply.done().completeExceptionally(new Gone());
        case SupervisorMessage.AgentOutput(_, AgentEventBatch batch) ->
            roomForAgent.release(weight(batch));
        case SupervisorMessage.SteerStored _,
            SupervisorMessage.SteerStoredElsewhere _,
            SupervisorMessage.Stop _,
            SupervisorMessage.StopRequestedElsewhere _,
            SupervisorMessage.CommitFailed _,
            SupervisorMessage.Detach _,
            SupervisorMessage.RenewLease _ -> {}
      }
    }
  }

  /** Called by the agent's ear; waits while too much is unheard. */
  void offerFromAgent(int attempt, AgentEventBatch batch) {
    roomForAgent.acquireUninterruptibly(weight(batch));
    put(new SupervisorMessage.AgentOutput(attempt, batch));
  }

  private static int weight(AgentEventBatch batch) {
    return Math.clamp(batch.events().size(), 1, MAX_UNHEARD);
  }

  /** Everything that has arrived, waiting for the first of it at most so long. */
  List<SupervisorMessage> take(Optional<Duration> atMost) throws InterruptedException {
    List<SupervisorMessage> taken = new ArrayList<>();
    SupervisorMessage first =
        atMost.isPresent()
            ? letters.poll(Math.max(0, atMost.get().toNanos()), TimeUnit.NANOSECONDS)
            : letters.take();
    if (first != null) {
      taken.add(first);
      letters.drainTo(taken);
    }
    for (SupervisorMessage message : taken) {
      if (message instanceof SupervisorMessage.AgentOutput(_, AgentEventBatch batch)) {
        roomForAgent.release(weight(batch));
      }
    }
    return taken;
  }

  /**
   * Hands in what the desk has booked, at leisure where nobody waits for it, and tells when it is
   * durable; a failure comes back as a letter.
   */
  void handIn(AttemptUnitOfWork unitOfWork, Runnable kept) {
    if (!unitOfWork.isClean()) {
      handIn(
          unitOfWork,
          unitOfWork.awaited() ? AttemptUnitOfWork::commitAsync : AttemptUnitOfWork::commitLazily,
          failure -> {
            if (failure.isEmpty()) {
              kept.run();
            }
          });
    }
  }

  /** Hands in what the desk has booked, and tells when it is durable or why it is not. */
  void handIn(AttemptUnitOfWork unitOfWork, Consumer<Optional<RuntimeException>> then) {
    if (unitOfWork.isClean()) {
      then.accept(Optional.empty());
    } else {
      handIn(unitOfWork, AttemptUnitOfWork::commitAsync, then);
    }
  }

  private void handIn(
      AttemptUnitOfWork unitOfWork,
      Function<AttemptUnitOfWork, CompletableFuture<Run>> how,
      Consumer<Optional<RuntimeException>> then) {
    int weight = Math.clamp(unitOfWork.eventsBooked(), MAX_UNKEPT / 64, MAX_UNKEPT);
    roomForLedger.acquireUninterruptibly(weight);
    var _ =
        how.apply(unitOfWork)
            .whenComplete((_, error) -> {
              roomForLedger.release(weight);
              Optional<RuntimeException> failure =
                  Optional.ofNullable(error).map(SupervisorMailbox::plain);
              failure.ifPresent(why -> put(new SupervisorMessage.CommitFailed(why)));
              then.accept(failure);
            });
  }

  /** Answers an author once what came of the wish is durable. */
  void answerWhenKept(
      AttemptUnitOfWork unitOfWork,
      CompletableFuture<Steer> answer,
      SteerTransitions.Outcome outcome) {
    switch (outcome) {
      case SteerTransitions.Outcome.Changed(Steer steer) ->
          handIn(
              unitOfWork,
              failure ->
                  failure.ifPresentOrElse(
                      answer::completeExceptionally, () -> answer.complete(steer)));
      case SteerTransitions.Outcome.NotPossible(var problem) ->
          answer.completeExceptionally(problem.refused());
      case SteerTransitions.Outcome.Stale(String why) ->
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
