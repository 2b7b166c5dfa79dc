package dev.midcourse.engine;

import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.Transition;
import dev.midcourse.core.agent.Capability;
import dev.midcourse.core.event.RunEvent;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.run.AskAnswer;
import dev.midcourse.core.run.Need;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.RunChange;
import dev.midcourse.core.run.RunSpec;
import dev.midcourse.core.run.RunTransitions;
import dev.midcourse.core.steer.Author;
import dev.midcourse.engine.attempt.SupervisorMailbox;
import dev.midcourse.engine.attempt.SupervisorMessage;
import dev.midcourse.engine.checkout.Checkouts;
import dev.midcourse.engine.context.EngineContext;
import dev.midcourse.engine.context.NotFoundErrors;
import dev.midcourse.engine.queue.SessionRule;
import dev.midcourse.engine.queue.StopIntake;
import dev.midcourse.ledger.LedgerReader;
import dev.midcourse.ledger.Log;
import dev.midcourse.ledger.Transaction;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;

/** Creates, restarts and stops runs, and answers the questions of their agents. */
public final class RunService {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private final EngineContext context;
  private final Checkouts checkouts;
  private final Function<RunId, Optional<SupervisorMailbox>> mailboxes;
  private final Runnable signal;

  RunService(
      EngineContext context,
      Checkouts checkouts,
      Function<RunId, Optional<SupervisorMailbox>> mailboxes,
      Runnable signal) {
    this.context = context;
    this.checkouts = checkouts;
    this.mailboxes = mailboxes;
    this.signal = signal;
  }

  /**
   * A run id that no run has. The random part is short and can repeat; a run under the id of
   * another would be a retry of the other.
   */
  public RunId freshId(String prompt) {
    while (true) {
      RunId drawn = context.ids().run(prompt);
      if (context.ledger().read(reading -> reading.run(drawn)).isEmpty()) {
        return drawn;
      }
    }
  }

  /**
   * Queues a run. Under the id of a run that failed or was stopped it is a retry. The id of any
   * other run is refused.
   */
  public Run create(NewRun wanted) {
    return create(wanted, Optional.empty());
  }

  /** The same for a dispatch with a key; gives back the run that the key has stored before. */
  Run create(NewRun wanted, Optional<KeyedDispatch> keyed) {
    Instant now = context.clock().instant();
    RunId id = wanted.id().orElseGet(() -> freshId(wanted.spec().prompt()));
    RunSpec spec = wanted.spec();
    Run queued =
        checkouts.enterAlone(
            spec.workspace(),
            () ->
                context
                    .ledger()
                    .write(tx -> {
                      Optional<Run> stored = keyed.flatMap(it -> it.storedRun(tx));
                      if (stored.isPresent()) {
                        return stored.get();
                      }
                      Optional<Run> there = tx.run(id);
                      Run run =
                          there.isPresent()
                              ? again(tx, there.get(), spec, true, now)
                              : first(tx, id, spec, now);
                      keyed.ifPresent(it -> tx.put(it.storedAs(id)));
                      return run;
                    }));
    signal.run();
    return queued;
  }

  /**
   * Part of a transaction of the caller: queues a run under an id that no run has. After the commit
   * the caller calls {@link #wake}. The transaction has to run within {@link #reserving} of the
   * folder of the run.
   */
  public Run queue(Transaction tx, RunId id, RunSpec spec, Instant now) {
    if (tx.run(id).isPresent()) {
      throw Problem.of(Code.DUPLICATE, "run_id", "an id that no run has", "run " + id + " exists")
          .refused();
    }
    return first(tx, id, spec, now);
  }

  /**
   * Calls the action, which queues a run for this folder. While it runs, no other thread assigns or
   * removes the checkout that the folder may be. It must not be called within a transaction.
   */
  public <T> T reserving(String workspace, Supplier<T> act) {
    return checkouts.enterAlone(workspace, act);
  }

  /** Queues a run that continues a finished one; see {@link #continueIn}. */
  public Run continueRun(RunId finished, String prompt, Author author) {
    RunId id = freshId(prompt);
    Run known =
        context.ledger().read(r -> r.run(finished)).orElseThrow(() -> NotFoundErrors.run(finished));
    Run queued =
        reserving(
            known.spec().workspace(),
            () -> context.ledger().write(tx -> continueIn(tx, id, finished, prompt, author)));
    wake();
    return queued;
  }

  /**
   * Part of a transaction of the caller: queues a run that continues the session of a finished one
   * in its folder. If the session cannot be resumed, the run begins a new one and its prompt says
   * so. The caller has the same duties as for {@link #queue}.
   *
   * @param id an id that no run has
   * @throws RefusedException if the finished run is live, if its folder is gone, or if a live run
   *     has its session
   */
  public Run continueIn(Transaction tx, RunId id, RunId finished, String prompt, Author author) {
    Run before = tx.run(finished).orElseThrow(() -> NotFoundErrors.run(finished));
    RunSpec spec = RunSpec.continuing(before, canResume(tx, finished), prompt, author);
    if (!Files.isDirectory(Path.of(spec.workspace()))) {
      throw Problem.invalid(
              "run_id",
              "a run whose folder is there",
              "the folder %s of run %s is gone; start a new run"
                  .formatted(spec.workspace(), finished))
          .refused();
    }
    return queue(tx, id, spec, context.clock().instant());
  }

  /** Whether the agent of the run, as it was measured last, can resume a session. */
  public static boolean canResume(LedgerReader reading, RunId run) {
    return reading.attempts(run).reversed().stream()
        .flatMap(attempt -> attempt.can().stream())
        .findFirst()
        .filter(can -> can.has(Capability.RESUME))
        .isPresent();
  }

  /** Starts queued runs for which there is room. Nothing is lost if this is not called. */
  public void wake() {
    signal.run();
  }

  private Run first(Transaction tx, RunId id, RunSpec spec, Instant now) {
    SessionRule.refuseIfInUse(tx, id, spec.agent(), spec.session());
    checkouts.enter(tx, id, spec, now);
    Run run = Run.queued(id, spec, now);
    tx.put(run);
    tx.append(
        id, now, new RunEvent.RunQueued(spec.prompt(), spec.agent(), spec.worker(), spec.author()));
    return run;
  }

  /**
   * Queues an ended run again, with a new prompt if there is one, and in its session unless {@code
   * fresh}.
   */
  public Run restart(RunId id, Optional<String> prompt, boolean fresh, Author author) {
    Instant now = context.clock().instant();
    Run known = context.ledger().read(r -> r.run(id)).orElseThrow(() -> NotFoundErrors.run(id));
    Run queued =
        checkouts.enterAlone(
            known.spec().workspace(),
            () ->
                context
                    .ledger()
                    .write(tx -> {
                      Run run = tx.run(id).orElseThrow(() -> NotFoundErrors.run(id));
                      return again(tx, run, spec(run.spec(), prompt, fresh, author), fresh, now);
                    }));
    signal.run();
    return queued;
  }

  private static RunSpec spec(RunSpec old, Optional<String> prompt, boolean fresh, Author author) {
    return new RunSpec(
        prompt.orElse(old.prompt()),
        old.agent(),
        old.worker(),
        old.workspace(),
        author,
        old.pending(),
        old.maxAttempts(),
        fresh ? Optional.empty() : old.session(),
        old.parent(),
        old.dispatch(),
        old.linger());
  }

  private Run again(Transaction tx, Run run, RunSpec spec, boolean fresh, Instant now) {
    return switch (RunTransitions.apply(run, new RunChange.Restarted(spec, fresh, now))) {
      case Transition.Changed(Run restarted) -> {
        SessionRule.refuseIfInUse(tx, run.id(), spec.agent(), restarted.session());
        checkouts.refuseIfGone(restarted);
        checkouts.enter(tx, run.id(), spec, now);
        tx.put(restarted);
        tx.append(run.id(), now, new RunEvent.RunRestarted(spec.prompt(), fresh, spec.author()));
        yield restarted;
      }
      case Transition.Rejected(Problem problem) -> throw problem.refused();
      case Transition.Stale(String why) -> throw new IllegalStateException(why);
    };
  }

  /** Requests the end of the run. {@link #awaitEnd} returns when none of its processes is alive. */
  public void stop(RunId id, Author author) {
    Instant now = context.clock().instant();
    context
        .ledger()
        .write(tx -> {
          Run run = tx.run(id).orElseThrow(() -> NotFoundErrors.run(id));
          if (!run.state().live()) {
            throw Problem.of(
                    Code.RUN_ENDED,
                    "run_id",
                    "a live run",
                    "run " + id + " has already ended: " + run.state().wire())
                .refused();
          }
          StopIntake.request(tx, run, author, now);
          return run;
        });
    deliverStop(id);
  }

  /**
   * Passes a stop to the supervisor that a transaction has requested ({@code StopIntake}) and that
   * is durable.
   */
  public void deliverStop(RunId id) {
    mailboxes.apply(id).ifPresent(mailbox -> mailbox.put(new SupervisorMessage.Stop()));
    signal.run();
  }

  /**
   * Dismisses the alarm about a run: no activity, or a failure. The run says again that it needs
   * attention when a new reason comes up.
   */
  public Run dismissAlarm(RunId id, Author author) {
    Instant now = context.clock().instant();
    return context
        .ledger()
        .write(tx -> {
          Run run = tx.run(id).orElseThrow(() -> NotFoundErrors.run(id));
          return switch (RunTransitions.apply(run, new RunChange.NeedDismissed(now))) {
            case Transition.Changed(Run seen) -> {
              tx.put(seen);
              String needs = run.needs().map(Need::text).orElse("");
              tx.append(id, now, new RunEvent.AlarmDismissed(needs, author));
              yield seen;
            }
            case Transition.Rejected(Problem problem) -> throw problem.refused();
            case Transition.Stale(String why) -> throw new IllegalStateException(why);
          };
        });
  }

  /** Answers a question of the agent. A steer never answers a question. */
  public void answer(RunId id, String ask, AskAnswer answer, Author by) {
    SupervisorMailbox mailbox = mailboxes.apply(id).orElseThrow(() -> noOpenQuestion(id).refused());
    CompletableFuture<Void> done = new CompletableFuture<>();
    mailbox.put(new SupervisorMessage.AnswerQuestion(ask, answer, by, done));
    try {
      done.get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof SupervisorMailbox.ClosedException) {
        throw new RefusedException(noOpenQuestion(id), e);
      }
      throw e.getCause() instanceof RefusedException refused
          ? refused
          : new IllegalStateException(e.getCause());
    } catch (TimeoutException e) {
      throw new IllegalStateException("the supervisor of " + id + " does not answer", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private static Problem noOpenQuestion(RunId id) {
    return Problem.of(
        Code.NOT_FOUND, "ask", "an open ask", "run " + id + " is not waiting for an answer");
  }

  /** Waits until the run has ended, or the time is over. Returns the run as it is then. */
  public Run awaitEnd(RunId id, Duration atMost) throws InterruptedException {
    Instant deadline = context.clock().instant().plus(atMost);
    Log log = context.ledger().log();
    Log.Filter filter = Log.Filter.of(id, RunEvent.RunEnded.class, RunEvent.RunReviewed.class);
    while (true) {
      long cursor = log.newest();
      Run run = context.ledger().read(r -> r.run(id)).orElseThrow(() -> NotFoundErrors.run(id));
      if (!run.state().live()) {
        return run;
      }
      Duration left = Duration.between(context.clock().instant(), deadline);
      if (!left.isPositive()) {
        return run;
      }
      var _ = log.await(cursor, filter, 1, left);
    }
  }
}
