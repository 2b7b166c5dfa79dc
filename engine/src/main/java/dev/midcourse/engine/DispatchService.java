package dev.midcourse.engine;

import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.contract.ContextIntent;
import dev.midcourse.core.contract.Dispatch;
import dev.midcourse.core.contract.DispatchReader;
import dev.midcourse.core.contract.WorkerPrompts;
import dev.midcourse.core.event.RunEvent;
import dev.midcourse.core.id.GroupName;
import dev.midcourse.core.id.IdempotencyKey;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.json.JsonValue;
import dev.midcourse.core.json.JsonWriter;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.RunSpec;
import dev.midcourse.core.run.RunState;
import dev.midcourse.core.steer.Author;
import dev.midcourse.engine.checkout.Checkouts;
import dev.midcourse.engine.checkout.StoredDispatch;
import dev.midcourse.engine.context.EngineContext;
import dev.midcourse.engine.context.NotFoundErrors;
import dev.midcourse.ledger.RunQuery;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Turns dispatches into runs, each in its own checkout. A dispatch that is refused changes nothing.
 */
public final class DispatchService {
  private static final Set<RunState> WELL_ENDED = Set.of(RunState.REVIEW_REQUESTED, RunState.DONE);
  private static final int MAX_SEARCHED_RUNS = 500;

  private final EngineContext context;
  private final RunService runService;
  private final Checkouts checkouts;

  DispatchService(EngineContext context, Checkouts checkouts, RunService runService) {
    this.context = context;
    this.checkouts = checkouts;
    this.runService = runService;
  }

  /**
   * The run that this group has dispatched under the key before; empty if there is none, and
   * refused if its content was another.
   */
  public Optional<Run> dispatched(JsonValue written, GroupName group, IdempotencyKey key) {
    return context.ledger().read(new KeyedDispatch(group, key, written)::storedRun);
  }

  /**
   * Reads the dispatch and queues its run for the worker. Under a key that the author's group has
   * used before, gives back the run of that key.
   */
  public Run dispatch(
      JsonValue written, DispatchTarget lane, Author author, Optional<IdempotencyKey> key) {
    Dispatch asked = DispatchReader.read(written, lane.rules()).orRefuse();
    Optional<KeyedDispatch> keyed = key.map(its -> new KeyedDispatch(author.group(), its, written));
    return checkouts.alone(() -> {
      Optional<Run> stored = storedRun(keyed);
      return stored.isPresent()
          ? stored.get()
          : queue(asked, (JsonValue.Obj) written, lane, author, keyed);
    });
  }

  private Optional<Run> storedRun(Optional<KeyedDispatch> keyed) {
    return keyed.flatMap(dispatch -> context.ledger().read(dispatch::storedRun));
  }

  /** If another hub stores the same key meanwhile, its run is the reason of the refusal here. */
  private Run queue(
      Dispatch asked,
      JsonValue.Obj written,
      DispatchTarget lane,
      Author author,
      Optional<KeyedDispatch> keyed) {
    try {
      refuseExisting(asked);
      Optional<Run> earlier = session(asked, lane);
      JsonValue.Obj whole = withSession(written, earlier);
      Dispatch known = DispatchReader.read(whole, lane.rules()).orRefuse();
      String workspace = checkouts.prepare(known, lane.workspace(), earlier);
      RunSpec spec =
          new RunSpec(
              WorkerPrompts.task(known),
              lane.agent(),
              lane.worker(),
              workspace,
              author,
              lane.pending(),
              lane.maxAttempts(),
              earlier.flatMap(Run::session),
              known.parentRunId(),
              Optional.of(JsonWriter.compact(whole)));
      return runService.create(new NewRun(Optional.of(known.runId()), spec), keyed);
    } catch (RefusedException refused) {
      return storedRun(keyed).orElseThrow(() -> refused);
    }
  }

  /**
   * Repairs the checkout and the clone of a run that has ended, and records each repair in the log
   * of the run.
   *
   * @return one sentence for each file that was put aside
   */
  public List<String> repair(RunId id, Path clones) {
    Run run = context.ledger().read(r -> r.run(id)).orElseThrow(() -> NotFoundErrors.run(id));
    if (run.state().live()) {
      throw Problem.invalid(
              "run_id",
              "a run that has ended",
              "run %s is %s; stop it first: midcourse stop %s"
                  .formatted(id, run.state().wire(), id))
          .refused();
    }
    List<String> done = checkouts.repair(run, clones);
    if (!done.isEmpty()) {
      Instant now = context.clock().instant();
      context
          .ledger()
          .write(tx -> {
            done.forEach(what -> tx.append(id, now, new RunEvent.Noted("repaired: " + what)));
            return done;
          });
    }
    return done;
  }

  /** Removes the checkouts of runs that the ledger does not have any more. */
  public void removeUnknownCheckouts() {
    checkouts.removeUnknown();
  }

  /**
   * Refuses a dispatch before anything changes on disk. The transaction that stores the run checks
   * again.
   */
  private void refuseExisting(Dispatch asked) {
    Optional<Run> there = context.ledger().read(r -> r.run(asked.runId()));
    if (there.filter(run -> !run.state().retryable()).isPresent()) {
      throw Problem.of(
              Code.DUPLICATE,
              "run_id",
              "new, or of a run that failed or was stopped",
              "run " + asked.runId() + " is " + there.get().state().wire() + " already")
          .refused();
    }
    asked
        .parentRunId()
        .filter(parent -> context.ledger().read(r -> r.run(parent)).isEmpty())
        .ifPresent(parent -> {
          throw Problem.of(
                  Code.NOT_FOUND, "parent_run_id", "a known run", "run " + parent + " not found")
              .refused();
        });
  }

  /** The run whose session this one continues. */
  private Optional<Run> session(Dispatch asked, DispatchTarget lane) {
    if (asked.contextIntent() == ContextIntent.FRESH) {
      return Optional.empty();
    }
    Run earlier = asked.sessionId().isPresent() ? named(asked, lane) : newest(asked, lane);
    if (!earlier.spec().agent().equals(lane.agent())) {
      throw Problem.invalid(
              "session_id",
              "a session of the same agent",
              "the session is " + earlier.spec().agent() + "'s, the worker is " + lane.agent())
          .refused();
    }
    return Optional.of(earlier);
  }

  private Run named(Dispatch asked, DispatchTarget lane) {
    Run earlier =
        context
            .ledger()
            .read(r -> r.newestOf(asked.sessionId().orElseThrow()))
            .orElseThrow(() ->
                Problem.of(
                        Code.NOT_FOUND,
                        "session_id",
                        "the session of an earlier run",
                        "no run has session " + asked.sessionId().orElseThrow())
                    .refused());
    if (!earlier.spec().worker().equals(lane.worker())) {
      throw Problem.invalid(
              "session_id",
              "a session of the same worker",
              "the session belongs to " + earlier.spec().worker() + ", not to " + lane.worker())
          .refused();
    }
    if (earlier.state().live() || !sameWork(earlier, asked)) {
      throw Problem.invalid(
              "session_id",
              "a session of an ended run of the same repo and branch",
              "the session is that of run "
                  + earlier.id()
                  + ", which is "
                  + earlier.state().wire()
                  + (sameWork(earlier, asked) ? "" : " and works elsewhere"))
          .refused();
    }
    return earlier;
  }

  private Run newest(Dispatch asked, DispatchTarget lane) {
    RunQuery query =
        new RunQuery(WELL_ENDED, Optional.of(lane.worker()), Optional.empty(), MAX_SEARCHED_RUNS);
    List<Run> ended = context.ledger().read(r -> r.runs(query));
    return ended.stream()
        .filter(run -> run.session().isPresent() && sameWork(run, asked))
        .findFirst()
        .orElseThrow(() ->
            Problem.invalid(
                    "context_intent",
                    "fresh, or a session that can be resumed",
                    lane.worker()
                        + " has no session of "
                        + asked.repo()
                        + " on "
                        + asked.branch()
                        + " that is done: use fresh")
                .refused());
  }

  private static boolean sameWork(Run run, Dispatch asked) {
    return StoredDispatch.of(run.spec()).filter(asked::sharesBranchWith).isPresent();
  }

  /** The stored dispatch names the session that was chosen. */
  private static JsonValue.Obj withSession(JsonValue.Obj written, Optional<Run> earlier) {
    return earlier
        .flatMap(Run::session)
        .map(session -> written.with("session_id", JsonValue.of(session.value())))
        .orElse(written);
  }
}
