package dev.midcourse.hub.api.operation;

import dev.midcourse.core.Problem;
import dev.midcourse.core.authority.Action;
import dev.midcourse.core.authority.Authority;
import dev.midcourse.core.authority.Caller;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.run.Attempt;
import dev.midcourse.core.run.Need;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.RunSpec;
import dev.midcourse.core.run.TurnRecord;
import dev.midcourse.core.steer.Author;
import dev.midcourse.core.steer.PendingPolicy;
import dev.midcourse.engine.NewRun;
import dev.midcourse.engine.context.EngineSettings;
import dev.midcourse.hub.api.access.AccessControl;
import dev.midcourse.hub.api.json.Requests.Restart;
import dev.midcourse.hub.api.json.Requests.RunRequest;
import dev.midcourse.hub.api.json.Views;
import dev.midcourse.hub.api.lookup.AgentSelector;
import dev.midcourse.hub.api.lookup.IdResolver;
import dev.midcourse.hub.settings.worker.WorkerConfig;
import dev.midcourse.ledger.LedgerReader;
import dev.midcourse.ledger.RunQuery;
import dev.midcourse.ledger.json.RunView;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Operations on runs: start, list, show, stop, restart. */
public final class RunOperations {
  private final HubContext context;
  private final AccessControl accessControl;
  private final AuthorizedLookup lookup;
  private final RunViews views;
  private final Workspaces workspaces;

  RunOperations(HubContext context, AuthorizedLookup lookup) {
    this.context = context;
    this.accessControl = context.permits();
    this.lookup = lookup;
    this.views = new RunViews(context.engine().ledger());
    this.workspaces = new Workspaces(context.engine().settings());
  }

  /**
   * A new run.
   *
   * @param note why this agent was chosen, if the request named none
   */
  public record Started(RunView run, Optional<String> note) {}

  /** Queues a run that is described in plain words. */
  public Started start(Caller caller, RunRequest request) {
    WorkerName worker = request.worker().orElse(EngineSettings.ANY_WORKER);
    accessControl.require(caller, startAction(worker));
    RunId id = request.runId().orElseGet(() -> context.engine().runs().freshId(request.prompt()));
    PlannedRun planned = plan(id, request, caller.author());
    Run run = context.engine().runs().create(new NewRun(Optional.of(id), planned.spec()));
    return new Started(views.of(run), planned.note());
  }

  /**
   * The specification of a run.
   *
   * @param note why this agent was chosen, if the request named none
   */
  public record PlannedRun(RunSpec spec, Optional<String> note) {}

  /**
   * The run that the request describes, with the agent and the limits of its worker. Refuses a
   * worker, agent or folder that is not there.
   */
  public PlannedRun plan(RunId id, RunRequest request, Author author) {
    request.worker().ifPresent(context.workers()::refuseMistyped);
    WorkerName worker = request.worker().orElse(EngineSettings.ANY_WORKER);
    Optional<WorkerConfig> plan = context.workers().plan(worker);
    AgentSelector.Choice choice = context.agentFor(worker, request.agent());
    RunSpec spec =
        new RunSpec(
            request.prompt(),
            choice.agent(),
            worker,
            workspaces.of(id, request.dir()),
            author,
            request.pending().or(() -> plan.map(WorkerConfig::pending)).orElse(PendingPolicy.ALL),
            request
                .attempts()
                .or(() -> plan.map(WorkerConfig::attempts))
                .orElse(RunSpec.DEFAULT_ATTEMPTS),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            request.linger());
    return new PlannedRun(spec, choice.note());
  }

  private Action startAction(WorkerName worker) {
    return new Action.Start(worker, context.workers().plan(worker).isPresent());
  }

  /** Returns a page of the newest runs of the query that the caller may see. */
  public Views.RunPage list(Caller caller, RunQuery query) {
    accessControl.require(caller, new Action.ListRuns());
    RunQuery oneMore = query.within(Authority.sight(caller)).withLimit(query.limit() + 1);
    List<RunView> found =
        context
            .engine()
            .ledger()
            .read(reading -> {
              query.olderThan().ifPresent(id -> requireKnown(caller, reading, id));
              return reading.runs(oneMore).stream().map(run -> RunViews.of(reading, run)).toList();
            });
    boolean more = found.size() > query.limit();
    List<RunView> page = more ? found.subList(0, query.limit()) : found;
    return new Views.RunPage(page, more ? Optional.of(page.getLast().runId()) : Optional.empty());
  }

  /** Returns a page of the runs of the query that need attention. */
  public Views.RunPage listNeeding(Caller caller, RunQuery query) {
    Instant since = context.clock().instant().minus(Need.FAILURE_ATTENTION);
    return list(caller, query.needingSince(since));
  }

  private static void requireKnown(Caller caller, LedgerReader reading, RunId id) {
    if (reading.run(id).filter(run -> IdResolver.sees(caller, run)).isEmpty()) {
      throw Problem.invalid("older_than", "a known run", "run " + id + " not found").refused();
    }
  }

  /**
   * Returns the present state of a run.
   *
   * @param untilEnd waits until the run has ended, at most so long
   */
  public RunView show(Caller caller, String run, Optional<Duration> untilEnd)
      throws InterruptedException {
    Run known = visible(caller, run);
    return views.of(
        untilEnd.isPresent()
            ? context.engine().runs().awaitEnd(known.id(), untilEnd.get())
            : known);
  }

  /** Returns the run that the text names. Refuses if the caller may not see it. */
  public Run visible(Caller caller, String run) {
    return lookup.visibleRun(caller, run);
  }

  public List<TurnRecord> turns(Caller caller, String run) {
    RunId id = visible(caller, run).id();
    return context.engine().ledger().read(reading -> reading.turns(id));
  }

  public List<Attempt> attempts(Caller caller, String run) {
    RunId id = visible(caller, run).id();
    return context.engine().ledger().read(reading -> reading.attempts(id));
  }

  /** Requests that the run and everything its agent has started be stopped; does not wait. */
  public RunView stop(Caller caller, String run) {
    RunId id = lookup.directedRun(caller, run, "stop").id();
    context.engine().runs().stop(id, caller.author());
    return views.of(context.engine().ledger().read(reading -> reading.run(id)).orElseThrow());
  }

  /** Dismisses the alarm about a run: no activity, or a failure. */
  public RunView dismiss(Caller caller, String run) {
    RunId id = lookup.directedRun(caller, run, "dismiss").id();
    return views.of(context.engine().runs().dismissAlarm(id, caller.author()));
  }

  /** Queues an ended run once more. */
  public RunView restart(Caller caller, String run, Restart request) {
    Run known = lookup.directedRun(caller, run, "restart");
    if (request.prompt().isPresent() && known.spec().dispatch().isEmpty()) {
      accessControl.require(caller, startAction(known.spec().worker()));
    }
    return views.of(
        context
            .engine()
            .runs()
            .restart(known.id(), request.prompt(), request.fresh().orElse(false), caller.author()));
  }
}
