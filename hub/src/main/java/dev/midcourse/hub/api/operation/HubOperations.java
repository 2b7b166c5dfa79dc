package dev.midcourse.hub.api.operation;

import dev.midcourse.agents.git.Patch;
import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.authority.Action;
import dev.midcourse.core.authority.Authority;
import dev.midcourse.core.authority.Caller;
import dev.midcourse.core.authority.Group;
import dev.midcourse.core.authority.VisibleRuns;
import dev.midcourse.core.contract.DispatchRules;
import dev.midcourse.core.id.GroupName;
import dev.midcourse.core.id.IdempotencyKey;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.id.SteerReference;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.json.JsonValue;
import dev.midcourse.core.run.Ask;
import dev.midcourse.core.run.AskAnswer;
import dev.midcourse.core.run.Attempt;
import dev.midcourse.core.run.Need;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.RunSpec;
import dev.midcourse.core.run.RunState;
import dev.midcourse.core.run.TurnRecord;
import dev.midcourse.core.steer.Author;
import dev.midcourse.core.steer.PendingPolicy;
import dev.midcourse.core.steer.Receipt;
import dev.midcourse.core.steer.Rung;
import dev.midcourse.core.steer.Steer;
import dev.midcourse.core.steer.SteerRequest;
import dev.midcourse.core.steer.SteerText;
import dev.midcourse.engine.DispatchTarget;
import dev.midcourse.engine.NewRun;
import dev.midcourse.engine.SteerService.SubmitResult;
import dev.midcourse.engine.context.EngineSettings;
import dev.midcourse.hub.api.access.AccessControl;
import dev.midcourse.hub.api.json.Requests.Reply;
import dev.midcourse.hub.api.json.Requests.Restart;
import dev.midcourse.hub.api.json.Requests.Review;
import dev.midcourse.hub.api.json.Requests.RunRequest;
import dev.midcourse.hub.api.json.Views;
import dev.midcourse.hub.api.lookup.AgentSelector;
import dev.midcourse.hub.api.lookup.IdResolver;
import dev.midcourse.hub.api.lookup.WorkerSelector;
import dev.midcourse.hub.settings.worker.WorkerConfig;
import dev.midcourse.ledger.Ledger;
import dev.midcourse.ledger.LedgerReader;
import dev.midcourse.ledger.RunQuery;
import dev.midcourse.ledger.json.RunView;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The use cases of the hub. HTTP routes, MCP tools and file mailboxes only translate requests and
 * results; each operation resolves ids, asks {@link Authority}, logs a refusal and does the work.
 * So a caller has the same rights and gets the same result through every interface.
 *
 * <p>A run or steer may be named by its whole id or by an unambiguous beginning of it.
 */
public final class HubOperations {
  private static final String DEFAULT_WITHDRAWAL_REASON = "withdrawn by its author";

  private final HubContext context;
  private final IdResolver lookup;
  private final AccessControl accessControl;
  private final Workspaces workspaces;

  public HubOperations(HubContext context) {
    this.context = context;
    this.lookup = context.lookup();
    this.accessControl = context.permits();
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
    return new Started(view(run), planned.note());
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

  /**
   * Queues a dispatched run for the named worker, or for the least busy one of the caller's. Under
   * a key that the caller's group has used before, gives back the run of that key.
   */
  public RunView dispatch(
      Caller caller, Optional<WorkerName> named, JsonValue written, Optional<IdempotencyKey> key) {
    try {
      Optional<Run> dispatched = key.flatMap(it -> dispatchedBefore(caller, written, it));
      return view(dispatched.orElseGet(() -> dispatchNew(caller, named, written, key)));
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
    DispatchTarget lane =
        new DispatchTarget(
            worker,
            context.agentFor(worker, Optional.empty()).agent(),
            plan.workspace().orElseGet(() -> context.facts().data().resolve("repos")),
            plan.pending(),
            plan.attempts(),
            plan.rules());
    return context.engine().dispatching().dispatch(written, lane, caller.author(), key);
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
              return reading.runs(oneMore).stream().map(run -> view(reading, run)).toList();
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
    return view(
        untilEnd.isPresent()
            ? context.engine().runs().awaitEnd(known.id(), untilEnd.get())
            : known);
  }

  /** Returns the receipts of a run's steers, in their order. */
  public List<Receipt> steers(Caller caller, String run) {
    RunId id = visible(caller, run).id();
    return read(reading -> reading.steers(id)).stream().map(Receipt::of).toList();
  }

  public List<TurnRecord> turns(Caller caller, String run) {
    RunId id = visible(caller, run).id();
    return read(reading -> reading.turns(id));
  }

  public List<Attempt> attempts(Caller caller, String run) {
    RunId id = visible(caller, run).id();
    return read(reading -> reading.attempts(id));
  }

  public List<Ask> asks(Caller caller, String run) {
    RunId id = visible(caller, run).id();
    return read(reading -> reading.asks(id));
  }

  /** Returns the changes of the run in its checkout; empty if it has no checkout. */
  public Optional<Patch> diff(Caller caller, String run) {
    return context.engine().reviews().diff(visible(caller, run).id());
  }

  /** Returns the run that the text names. Refuses if the caller may not see it. */
  public Run visible(Caller caller, String run) {
    return found(caller, run, "see");
  }

  /** Returns the run that the text names among those that the caller may see. */
  private Run found(Caller caller, String text, String how) {
    return lookup
        .run(caller, text)
        .orElseThrow(() -> unknown(caller, Optional.of(RunId.of(text)), how, "run", text));
  }

  private Steer foundSteer(Caller caller, SteerReference steer, String how) {
    return lookup
        .steer(caller, steer)
        .orElseThrow(() -> unknown(caller, Optional.empty(), how, "steer", steer.value()));
  }

  /**
   * Returns the refusal of an unknown id. A caller that sees all runs gets "not found"; other
   * callers do not learn whether the id exists.
   */
  private RefusedException unknown(
      Caller caller, Optional<RunId> run, String how, String kind, String text) {
    return switch (Authority.sight(caller)) {
      case VisibleRuns.Everything _ ->
          Problem.of(
                  Code.NOT_FOUND, kind + "_id", "an existing id", kind + " " + text + " not found")
              .refused();
      case VisibleRuns.Only _ ->
          accessControl.refuseUnknown(caller, run, kind + "_id", how + " " + kind + " " + text);
    };
  }

  /** Requests that the run and everything its agent has started be stopped; does not wait. */
  public RunView stop(Caller caller, String run) {
    RunId id = directed(caller, run, "stop").id();
    context.engine().runs().stop(id, caller.author());
    return view(read(reading -> reading.run(id)).orElseThrow());
  }

  /** Dismisses the alarm about a run: no activity, or a failure. */
  public RunView dismiss(Caller caller, String run) {
    RunId id = directed(caller, run, "dismiss").id();
    return view(context.engine().runs().dismissAlarm(id, caller.author()));
  }

  /** Queues an ended run once more. */
  public RunView restart(Caller caller, String run, Restart request) {
    Run known = directed(caller, run, "restart");
    if (request.prompt().isPresent() && known.spec().dispatch().isEmpty()) {
      accessControl.require(caller, startAction(known.spec().worker()));
    }
    return view(
        context
            .engine()
            .runs()
            .restart(known.id(), request.prompt(), request.fresh().orElse(false), caller.author()));
  }

  /**
   * Accepts the work of a run and returns the run; or queues a run that reworks it and returns that
   * one.
   */
  public RunView review(Caller caller, String run, Review review) {
    RunId id = directed(caller, run, "review").id();
    String text = review.text().orElse("");
    return view(
        switch (review.verdict()) {
          case ACCEPT -> context.engine().reviews().accept(id, text, caller.author());
          case REWORK -> context.engine().reviews().rework(id, text, caller.author());
        });
  }

  /** Puts tampered git files of a run's checkout and clone aside. */
  public Views.Repaired repair(Caller caller, String run) {
    Run known = directed(caller, run, "repair");
    return new Views.Repaired(
        context.engine().dispatching().repair(known.id(), clones(known.spec().worker())));
  }

  /** Returns the folder with the clones of a worker. */
  private Path clones(WorkerName worker) {
    return context
        .workers()
        .plan(worker)
        .flatMap(WorkerConfig::workspace)
        .orElseGet(() -> context.facts().data().resolve("repos"));
  }

  private Run directed(Caller caller, String run, String how) {
    Run known = found(caller, run, how);
    accessControl.require(caller, Action.Direct.of(known, how));
    return known;
  }

  /** Stores a steer durably and measures how long that took. */
  public SubmitResult steer(Caller caller, String run, SteerRequest request) {
    Instant asked = context.clock().instant();
    RunId id = directed(caller, run, "steer").id();
    return measured(
        context.engine().steering().submit(id, caller.author(), resolved(caller, request)), asked);
  }

  /**
   * Stores a steer without waiting for the commit. Steers of one thread are stored in its order.
   *
   * @param known a cache of the runs that the steers of one batch name
   */
  public CompletableFuture<SubmitResult> steerLater(
      Caller caller, String run, SteerRequest request, Map<String, Run> known) {
    Instant asked = context.clock().instant();
    Run steered = known.computeIfAbsent(run, text -> found(caller, text, "steer"));
    accessControl.require(caller, Action.Direct.of(steered, "steer"));
    return context
        .engine()
        .steering()
        .submitLater(steered.id(), caller.author(), resolved(caller, request))
        .thenApply(submitted -> measured(submitted, asked));
  }

  private SubmitResult measured(SubmitResult submitted, Instant asked) {
    if (!submitted.repeated()) {
      context.steerLatency().stored(submitted.receipt().steerId(), asked, submitted.durable());
    }
    return submitted;
  }

  /** Returns the request with the whole id of the steer that it supersedes. */
  private SteerRequest resolved(Caller caller, SteerRequest request) {
    return request.withSupersedes(
        request
            .supersedes()
            .map(steer -> foundSteer(caller, steer, "supersede"))
            .map(Steer::id)
            .map(SteerReference::to));
  }

  /** Returns the receipt of a steer that the caller may see. */
  public Receipt receipt(Caller caller, String steer) {
    return Receipt.of(foundSteer(caller, SteerReference.of(steer), "see"));
  }

  /** Waits until a steer has reached the rung or has ended, for at most this time. */
  public Receipt await(SteerId steer, Rung rung, Duration atMost) throws InterruptedException {
    return context.engine().steering().await(steer, rung, atMost);
  }

  /** Withdraws a steer that is not in the conversation yet. */
  public Receipt withdraw(Caller caller, String steer, Optional<String> reason) {
    SteerId id = directedSteer(caller, steer, "withdraw");
    return context.engine().steering().withdraw(id, reason.orElse(DEFAULT_WITHDRAWAL_REASON));
  }

  /** Changes the text of a pending steer. */
  public Receipt edit(Caller caller, String steer, SteerText text) {
    return context.engine().steering().edit(directedSteer(caller, steer, "edit"), text);
  }

  /** Changes a pending follow-up into a steer for the running turn. */
  public Receipt promote(Caller caller, String steer) {
    return context.engine().steering().promote(directedSteer(caller, steer, "promote"));
  }

  private SteerId directedSteer(Caller caller, String steer, String how) {
    Steer known = foundSteer(caller, SteerReference.of(steer), how);
    Run run =
        lookup
            .runOf(known)
            .orElseThrow(() -> unknown(caller, Optional.empty(), how, "steer", steer));
    accessControl.require(caller, Action.Direct.of(run, how + " a steer of"));
    return known.id();
  }

  /**
   * Answers a question of the run's agent; returns the question, closed. A text that is not an
   * answer to such a question is refused, and the question stays open.
   */
  public Ask answer(Caller caller, String run, String ask, Reply reply) {
    Run known = found(caller, run, "answer for");
    accessControl.require(caller, new Action.Answer(known.id(), known.spec().worker()));
    Ask asked = ask(known.id(), ask);
    AskAnswer answer = AskAnswer.parse(asked.kind(), reply.answer(), reply.why());
    context.engine().runs().answer(known.id(), ask, answer, caller.author());
    return ask(known.id(), ask);
  }

  /** Answers a question; without an id, the only open question of the run. */
  public Views.OneAsk answer(Caller caller, String run, Optional<String> ask, Reply reply) {
    return Views.OneAsk.of(answer(caller, run, ask.orElseGet(() -> onlyOpen(caller, run)), reply));
  }

  private String onlyOpen(Caller caller, String run) {
    List<String> open = asks(caller, run).stream().filter(Ask::open).map(Ask::id).toList();
    if (open.size() == 1) {
      return open.getFirst();
    }
    throw Problem.of(
            open.isEmpty() ? Code.NOT_FOUND : Code.INVALID,
            "ask",
            open.isEmpty() ? "an open ask" : "one of: " + String.join(", ", open),
            "run " + run + " has " + (open.isEmpty() ? "no" : "several") + " open questions")
        .refused();
  }

  private Ask ask(RunId run, String ask) {
    return read(reading -> reading.ask(run, ask))
        .orElseThrow(() ->
            Problem.of(Code.NOT_FOUND, "ask", "a question of the run", "there is no ask " + ask)
                .refused());
  }

  /** Returns the group as a caller. Refuses if this caller may not act as the group. */
  public Caller speakingAs(Caller caller, GroupName name) {
    accessControl.require(caller, new Action.SpeakAs(name));
    Group group =
        context
            .workers()
            .groups()
            .named(name)
            .orElseThrow(() ->
                Problem.of(
                        Code.NOT_FOUND,
                        "as",
                        "a group of midcourse.toml",
                        "group " + name + " not found")
                    .refused());
    return new Caller.Member(group, caller.author().origin(), Optional.empty());
  }

  /** Refuses a message to a group that the caller may not write to. */
  public void requireMayWrite(Caller caller, GroupName to) {
    accessControl.require(caller, new Action.Tell(to));
  }

  private <T> T read(Ledger.Query<T> look) {
    return context.engine().ledger().read(look);
  }

  private RunView view(Run run) {
    return read(reading -> view(reading, run));
  }

  private static RunView view(LedgerReader reading, Run run) {
    return RunView.of(
        run,
        run.state() == RunState.QUEUED ? Optional.of(reading.placeInQueue(run)) : Optional.empty());
  }
}
