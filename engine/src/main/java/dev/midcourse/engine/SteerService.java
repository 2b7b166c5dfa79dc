package dev.midcourse.engine;

import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.Transition;
import dev.midcourse.core.agent.Capabilities;
import dev.midcourse.core.event.RunEvent;
import dev.midcourse.core.event.SteerEvents;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.id.SteerReference;
import dev.midcourse.core.run.Attempt;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.RunState;
import dev.midcourse.core.steer.Author;
import dev.midcourse.core.steer.Receipt;
import dev.midcourse.core.steer.Rung;
import dev.midcourse.core.steer.Steer;
import dev.midcourse.core.steer.SteerIntake;
import dev.midcourse.core.steer.SteerMode;
import dev.midcourse.core.steer.SteerRequest;
import dev.midcourse.core.steer.SteerText;
import dev.midcourse.core.steer.SteerTransitions;
import dev.midcourse.engine.attempt.SupervisorMailbox;
import dev.midcourse.engine.attempt.SupervisorMessage;
import dev.midcourse.engine.context.EngineContext;
import dev.midcourse.engine.context.NotFoundErrors;
import dev.midcourse.engine.queue.StopIntake;
import dev.midcourse.ledger.Ledger.Priority;
import dev.midcourse.ledger.LedgerReader;
import dev.midcourse.ledger.Log;
import dev.midcourse.ledger.Transaction;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/**
 * Stores steers, and changes or awaits stored ones. {@link #submit} returns when the steer is
 * durable; only then its supervisor gets it. A command on a steer that an agent may have goes
 * through the supervisor, because only the supervisor knows what the agent has.
 */
public final class SteerService {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final int MAX_TRIES = 3;
  private static final Log.Filter STEER_NEWS =
      Log.Filter.of(
          RunEvent.SteerRaised.class,
          RunEvent.SteerEnded.class,
          RunEvent.SteerCarried.class,
          RunEvent.SteerEdited.class,
          RunEvent.SteerPromoted.class);

  private final EngineContext context;
  private final Function<RunId, Optional<SupervisorMailbox>> mailboxes;
  private final Runnable signal;

  /** The steers that this hub is storing. It will also pass them to their supervisors. */
  private final Set<SteerId> beingStored = ConcurrentHashMap.newKeySet();

  SteerService(
      EngineContext context,
      Function<RunId, Optional<SupervisorMailbox>> mailboxes,
      Runnable signal) {
    this.context = context;
    this.mailboxes = mailboxes;
    this.signal = signal;
  }

  /** Whether this hub is storing this steer and will pass it to its supervisor. */
  boolean isBeingStored(SteerId steer) {
    return beingStored.contains(steer);
  }

  /**
   * Stores the steer. A request with a known key returns the steer that was stored with that key.
   *
   * @param request a steer that it supersedes must be named by its whole id
   */
  public SubmitResult submit(RunId run, Author author, SteerRequest request) {
    SteerId id = context.ids().steer();
    Instant now = context.clock().instant();
    beingStored.add(id);
    try {
      return context
          .ledger()
          .write(Priority.STEER, tx -> intake(tx, run, author, request, id, now), this::stored);
    } finally {
      beingStored.remove(id);
    }
  }

  /** Like {@link #submit}, without waiting; steers of one thread are stored in its order. */
  public CompletableFuture<SubmitResult> submitLater(
      RunId run, Author author, SteerRequest request) {
    SteerId id = context.ids().steer();
    Instant now = context.clock().instant();
    beingStored.add(id);
    return context
        .ledger()
        .writeAsync(Priority.STEER, tx -> intake(tx, run, author, request, id, now))
        .thenApply(this::stored)
        .whenComplete((_, _) -> beingStored.remove(id));
  }

  /**
   * Part of a transaction of the caller: stores the steer, or says why not. After the commit the
   * caller calls {@link #deliver} with the steer.
   */
  public SteerIntake.IntakeDecision store(
      Transaction tx, RunId run, Author author, SteerRequest request, Instant now) {
    return intake(tx, run, author, request, context.ids().steer(), now);
  }

  /** Like {@link #store}, with an id that the caller has chosen and that no steer has. */
  public SteerIntake.IntakeDecision store(
      Transaction tx, RunId run, Author author, SteerRequest request, SteerId id, Instant now) {
    return intake(tx, run, author, request, id, now);
  }

  /** Passes a steer to its supervisor that {@link #store} has stored and that is durable. */
  public void deliver(Steer steer) {
    wake(
        steer,
        context.ledger().shared()
            ? new SupervisorMessage.SteerStoredElsewhere(steer.id())
            : new SupervisorMessage.SteerStored(steer));
  }

  private SubmitResult stored(SteerIntake.IntakeDecision verdict) {
    Instant durable = context.clock().instant();
    return switch (verdict) {
      case SteerIntake.IntakeDecision.Store(Steer steer, _) -> {
        wake(steer, new SupervisorMessage.SteerStored(steer));
        yield new SubmitResult(Receipt.of(steer), false, durable);
      }
      case SteerIntake.IntakeDecision.Repeat(Steer steer) ->
          new SubmitResult(Receipt.of(steer), true, durable);
      case SteerIntake.IntakeDecision.Refuse(Problem problem) -> throw problem.refused();
    };
  }

  private static SteerIntake.IntakeDecision intake(
      Transaction tx, RunId runId, Author author, SteerRequest request, SteerId id, Instant now) {
    Transaction.Addressed addressed =
        tx.addressed(runId, author.group(), request.key())
            .orElseThrow(() -> NotFoundErrors.run(runId));
    Run run = addressed.run();
    SteerIntake.Known known =
        new SteerIntake.Known(
            run,
            author,
            run.state() == RunState.RUNNING,
            () -> abilities(tx, run),
            addressed.sameKey(),
            request.supersedes().flatMap(SteerReference::whole).flatMap(tx::steer),
            () -> tx.countOpenSteers(run.id()),
            run.steers() + 1);
    SteerIntake.IntakeDecision verdict = SteerIntake.judge(request, known, id, now);
    switch (verdict) {
      case SteerIntake.IntakeDecision.Store(Steer steer, Optional<Steer> superseded) -> {
        tx.put(steer);
        tx.append(run.id(), now, SteerEvents.stored(steer));
        superseded.ifPresent(older -> {
          Steer before = known.superseded().orElseThrow();
          tx.put(older);
          SteerEvents.between(before, older).forEach(e -> tx.append(run.id(), now, e));
        });
        if (steer.mode() == SteerMode.STOP) {
          StopIntake.request(tx, run, author, now);
        }
      }
      case SteerIntake.IntakeDecision.Repeat _, SteerIntake.IntakeDecision.Refuse _ -> {}
    }
    return verdict;
  }

  /** The capabilities that the agent of the run has reported. */
  private static Capabilities abilities(LedgerReader reading, Run run) {
    return reading.attempt(run.id(), run.attempt()).flatMap(Attempt::can).orElse(Capabilities.FULL);
  }

  private void wake(Steer steer, SupervisorMessage message) {
    Optional<SupervisorMailbox> mailbox = mailboxes.apply(steer.run());
    mailbox.ifPresent(
        s -> s.put(steer.mode() == SteerMode.STOP ? new SupervisorMessage.Stop() : message));
    if (mailbox.isEmpty()) {
      signal.run();
    }
  }

  /** Withdraws a steer that is not in the conversation yet. */
  public Receipt withdraw(SteerId id, String reason) {
    return change(id, new SupervisorMessage.SteerCommand.Withdraw(reason));
  }

  /** Changes the text of a pending steer; it keeps its identity and its place. */
  public Receipt edit(SteerId id, SteerText text) {
    return change(id, new SupervisorMessage.SteerCommand.Edit(text));
  }

  /** Makes a pending follow-up a steer for the current turn. */
  public Receipt promote(SteerId id) {
    return change(id, new SupervisorMessage.SteerCommand.Promote());
  }

  /**
   * Retries when the owner of the steer changes meanwhile: an attempt ends, the next one begins.
   */
  private Receipt change(SteerId id, SupervisorMessage.SteerCommand command) {
    RunId run =
        context.ledger().read(r -> r.steer(id)).orElseThrow(() -> NotFoundErrors.steer(id)).run();
    for (int tries = 0; tries < MAX_TRIES; tries++) {
      Optional<SupervisorMailbox> mailbox = mailboxes.apply(run);
      Optional<Steer> changed =
          mailbox.isPresent()
              ? askSupervisor(mailbox.get(), id, command)
              : changeInLedger(id, command);
      if (changed.isPresent()) {
        return Receipt.of(changed.get());
      }
    }
    throw Problem.of(
            Code.UNAVAILABLE,
            "steer_id",
            "a run that this hub supervises",
            "run " + run + " is supervised by another hub; try again")
        .refused();
  }

  /** Empty when the supervisor has ended. */
  private static Optional<Steer> askSupervisor(
      SupervisorMailbox mailbox, SteerId id, SupervisorMessage.SteerCommand command) {
    CompletableFuture<Steer> answer = new CompletableFuture<>();
    mailbox.put(new SupervisorMessage.ChangeSteer(id, command, answer));
    try {
      return Optional.of(answer.get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS));
    } catch (ExecutionException e) {
      if (e.getCause() instanceof SupervisorMailbox.ClosedException) {
        return Optional.empty();
      }
      throw e.getCause() instanceof RefusedException refused
          ? refused
          : new IllegalStateException(e.getCause());
    } catch (TimeoutException e) {
      throw new RefusedException(
          Problem.of(
              Code.UNAVAILABLE,
              "steer_id",
              "an agent that answers",
              "the agent did not confirm in time whether it returns the steer"),
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /**
   * Changes a steer of a run that is queued or has ended, so that only the ledger has it. Empty
   * when the run is running.
   */
  private Optional<Steer> changeInLedger(SteerId id, SupervisorMessage.SteerCommand command) {
    Instant now = context.clock().instant();
    return context
        .ledger()
        .write(tx -> {
          Steer before = tx.steer(id).orElseThrow(() -> NotFoundErrors.steer(id));
          Run run = tx.run(before.run()).orElseThrow(() -> NotFoundErrors.run(before.run()));
          if (run.state() == RunState.RUNNING) {
            return Optional.empty();
          }
          return switch (SteerTransitions.apply(before, command.change(now))) {
            case Transition.Changed(Steer after) -> {
              tx.put(after);
              for (RunEvent event : SteerEvents.between(before, after)) {
                tx.append(run.id(), now, event);
              }
              yield Optional.of(after);
            }
            case Transition.Rejected(Problem problem) -> throw problem.refused();
            case Transition.Stale(String why) -> throw new IllegalStateException(why);
          };
        });
  }

  /**
   * Waits until the steer has reached the rung or ended, or the time is over. Returns its receipt.
   */
  public Receipt await(SteerId id, Rung rung, Duration atMost) throws InterruptedException {
    Instant deadline = context.clock().instant().plus(atMost);
    Log log = context.ledger().log();
    while (true) {
      long cursor = log.newest();
      Steer steer =
          context.ledger().read(r -> r.steer(id)).orElseThrow(() -> NotFoundErrors.steer(id));
      Receipt receipt = Receipt.of(steer);
      Duration left = Duration.between(context.clock().instant(), deadline);
      if (receipt.settledAt(rung) || !left.isPositive()) {
        return receipt;
      }
      var _ = log.await(cursor, STEER_NEWS.with(steer.run()), 1, left);
    }
  }

  /**
   * The result of storing a steer.
   *
   * @param repeated whether the same request was stored before
   * @param durable when the writer saw that the steer was durable
   */
  public record SubmitResult(Receipt receipt, boolean repeated, Instant durable) {}
}
