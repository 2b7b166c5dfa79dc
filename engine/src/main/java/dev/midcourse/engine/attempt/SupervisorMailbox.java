package dev.midcourse.engine.attempt;

import dev.midcourse.agents.AgentEventBatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * The inbox of one supervisor. {@link #put} never blocks. {@link #offerFromAgent} blocks while 512
 * events of the agent are unprocessed, so that an agent cannot fill the memory of the hub.
 */
public final class SupervisorMailbox {
  private static final int MAX_UNPROCESSED = 512;

  private final LinkedBlockingQueue<SupervisorMessage> messages = new LinkedBlockingQueue<>();
  private final Semaphore permits = new Semaphore(MAX_UNPROCESSED);
  private volatile boolean closed;

  /** The answer to a request whose supervisor has ended: only the ledger knows the outcome. */
  public static final class ClosedException extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  public void put(SupervisorMessage message) {
    messages.add(message);
    if (closed) {
      rejectAll();
    }
  }

  /** The supervisor has ended. Every request that waits here, or comes later, fails with Gone. */
  public void close() {
    closed = true;
    rejectAll();
  }

  private void rejectAll() {
    for (SupervisorMessage message = messages.poll(); message != null; message = messages.poll()) {
      switch (message) {
        case SupervisorMessage.ChangeSteer command ->
            command.answer().completeExceptionally(new ClosedException());
        case SupervisorMessage.AnswerQuestion reply ->
            reply.done().completeExceptionally(new ClosedException());
        case SupervisorMessage.AgentOutput(_, AgentEventBatch batch) ->
            permits.release(weight(batch));
        case SupervisorMessage.SteerStored _,
            SupervisorMessage.SteerStoredElsewhere _,
            SupervisorMessage.Stop _,
            SupervisorMessage.StopRequestedElsewhere _,
            SupervisorMessage.GiveWay _,
            SupervisorMessage.CommitFailed _,
            SupervisorMessage.Detach _,
            SupervisorMessage.RenewLease _ -> {}
      }
    }
  }

  /** Adds events of an agent; blocks while too many are unprocessed. */
  public void offerFromAgent(int attempt, AgentEventBatch batch) {
    permits.acquireUninterruptibly(weight(batch));
    put(new SupervisorMessage.AgentOutput(attempt, batch));
  }

  private static int weight(AgentEventBatch batch) {
    return Math.clamp(batch.events().size(), 1, MAX_UNPROCESSED);
  }

  /** All messages that are here. Waits for the first one, at most this long. */
  public List<SupervisorMessage> take(Optional<Duration> timeout) throws InterruptedException {
    List<SupervisorMessage> taken = new ArrayList<>();
    SupervisorMessage first =
        timeout.isPresent()
            ? messages.poll(Math.max(0, timeout.get().toNanos()), TimeUnit.NANOSECONDS)
            : messages.take();
    if (first != null) {
      taken.add(first);
      messages.drainTo(taken);
    }
    for (SupervisorMessage message : taken) {
      if (message instanceof SupervisorMessage.AgentOutput(_, AgentEventBatch batch)) {
        permits.release(weight(batch));
      }
    }
    return taken;
  }
}
