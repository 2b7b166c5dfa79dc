package dev.midcourse.hub.api.operation;

import dev.midcourse.agents.git.Patch;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.authority.Action;
import dev.midcourse.core.authority.Authority;
import dev.midcourse.core.authority.Caller;
import dev.midcourse.core.contract.DispatchRules;
import dev.midcourse.core.id.IdempotencyKey;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.json.JsonValue;
import dev.midcourse.core.run.Run;
import dev.midcourse.engine.DispatchTarget;
import dev.midcourse.hub.api.access.AccessControl;
import dev.midcourse.hub.api.json.Requests.Review;
import dev.midcourse.hub.api.json.Views;
import dev.midcourse.hub.api.lookup.WorkerSelector;
import dev.midcourse.hub.settings.worker.WorkerConfig;
import dev.midcourse.ledger.json.RunView;
import java.nio.file.Path;
import java.util.Optional;

/** Operations on dispatched runs and their checkouts: dispatch, review, difference, repair. */
public final class DispatchOperations {
  private final HubContext context;
  private final AccessControl accessControl;
  private final AuthorizedLookup lookup;
  private final RunViews views;

  DispatchOperations(HubContext context, AuthorizedLookup lookup) {
    this.context = context;
    this.accessControl = context.permits();
    this.lookup = lookup;
    this.views = new RunViews(context.engine().ledger());
  }

  /**
   * Queues a dispatched run for the named worker, or for the least busy one of the caller's. Under
   * a key that the caller's group has used before, gives back the run of that key.
   */
  public RunView dispatch(
      Caller caller, Optional<WorkerName> named, JsonValue written, Optional<IdempotencyKey> key) {
    try {
      Optional<Run> dispatched = key.flatMap(it -> dispatchedBefore(caller, written, it));
      return views.of(dispatched.orElseGet(() -> dispatchNew(caller, named, written, key)));
    } catch (RefusedException refused) {
      accessControl.note(caller, runId(written), "dispatch", refused.description());
      throw refused;
    }
  }

  /**
   * Returns the run that the group has dispatched with this key. Called before a worker is
   * selected, so that a repeated request does not depend on the present workers and agents.
   */
  private Optional<Run> dispatchedBefore(Caller caller, JsonValue written, IdempotencyKey key) {
    return context.engine().dispatching().dispatched(written, caller.author().group(), key);
  }

  private Run dispatchNew(
      Caller caller, Optional<WorkerName> named, JsonValue written, Optional<IdempotencyKey> key) {
    WorkerName worker =
        named.orElseGet(() ->
            new WorkerSelector(context.workers(), context.engine().ledger()).leastBusy(caller));
    Authority.objection(caller, new Action.Dispatch(worker))
        .ifPresent(why -> {
          throw why.refused();
        });
    WorkerConfig plan = context.workers().declared(worker);
    DispatchTarget target =
        new DispatchTarget(
            worker,
            context.agentFor(worker, Optional.empty()).agent(),
            plan.workspace().orElseGet(this::defaultClones),
            plan.pending(),
            plan.attempts(),
            plan.rules());
    return context.engine().dispatching().dispatch(written, target, caller.author(), key);
  }

  /** Returns the run that a dispatch names; a placeholder if it names none. */
  public static RunId runId(JsonValue written) {
    try {
      return written instanceof JsonValue.Obj fields
          ? fields.string("run_id").map(RunId::of).orElse(AccessControl.NO_RUN)
          : AccessControl.NO_RUN;
    } catch (RefusedException notAnId) {
      return AccessControl.NO_RUN;
    }
  }

  /** Returns the rules for a dispatch to this worker, or to any. */
  public DispatchRules rules(Optional<WorkerName> worker) {
    return worker
        .map(name -> context.workers().declared(name).rules())
        .orElseGet(() -> context.workers().commonRules());
  }

  /** Returns the rules for a dispatch that names no worker. */
  public DispatchRules commonRules() {
    return context.workers().commonRules();
  }

  /**
   * Accepts the work of a run and returns the run; or queues a run that reworks it and returns that
   * one.
   */
  public RunView review(Caller caller, String run, Review review) {
    RunId id = lookup.directedRun(caller, run, "review").id();
    String text = review.text().orElse("");
    return views.of(
        switch (review.verdict()) {
          case ACCEPT -> context.engine().reviews().accept(id, text, caller.author());
          case REWORK -> context.engine().reviews().rework(id, text, caller.author());
        });
  }

  /** Returns the changes of the run in its checkout; empty if it has no checkout. */
  public Optional<Patch> diff(Caller caller, String run) {
    return context.engine().reviews().diff(lookup.visibleRun(caller, run).id());
  }

  /** Puts tampered git files of a run's checkout and clone aside. */
  public Views.Repaired repair(Caller caller, String run) {
    Run known = lookup.directedRun(caller, run, "repair");
    return new Views.Repaired(
        context.engine().dispatching().repair(known.id(), clones(known.spec().worker())));
  }

  /** Returns the folder with the clones of a worker. */
  private Path clones(WorkerName worker) {
    return context
        .workers()
        .plan(worker)
        .flatMap(WorkerConfig::workspace)
        .orElseGet(this::defaultClones);
  }

  private Path defaultClones() {
    return context.facts().data().resolve("repos");
  }
}
