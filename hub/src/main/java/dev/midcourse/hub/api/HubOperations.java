package dev.midcourse.hub.api;

import dev.midcourse.agents.Agent;
import dev.midcourse.agents.git.Patch;
import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.authority.Action;
import dev.midcourse.core.authority.Authority;
import dev.midcourse.core.authority.Caller;
import dev.midcourse.core.authority.Group;
import dev.midcourse.core.id.GroupName;
import dev.midcourse.core.id.IdempotencyKey;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.json.JsonValue;
import dev.midcourse.core.run.Ask;
import dev.midcourse.core.run.Attempt;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.RunSpec;
import dev.midcourse.core.run.RunState;
import dev.midcourse.core.run.TurnRecord;
import dev.midcourse.core.steer.OnUnsupported;
import dev.midcourse.core.steer.PendingPolicy;
import dev.midcourse.core.steer.Receipt;
import dev.midcourse.core.steer.Rung;
import dev.midcourse.core.steer.Steer;
import dev.midcourse.core.steer.SteerMode;
import dev.midcourse.core.steer.SteerRequest;
import dev.midcourse.core.steer.SteerText;
import dev.midcourse.engine.DispatchTarget;
import dev.midcourse.engine.NewRun;
import dev.midcourse.engine.SubmitResult;
import dev.midcourse.engine.context.EngineSettings;
import dev.midcourse.hub.api.Requests.Reply;
import dev.midcourse.hub.api.Requests.Restart;
import dev.midcourse.hub.api.Requests.Review;
import dev.midcourse.hub.api.Requests.RunRequest;
import dev.midcourse.hub.api.Requests.SteerBody;
import dev.midcourse.hub.settings.WorkerConfig;
import dev.midcourse.ledger.Ledger;
import dev.midcourse.ledger.LedgerReader;
import dev.midcourse.ledger.RunQuery;
import dev.midcourse.ledger.json.RunView;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
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
  record Started(RunView run, Optional<String> note) {}

  /** Queues a run that is described in plain words. */
  Started start(Caller caller, RunRequest request) {
    WorkerName worker = request.worker().orElse(EngineSettings.ANY_WORKER);
    accessControl.require(caller, startAction(worker));
    Optional<WorkerConfig> plan = context.workers().plan(worker);
    AgentSelector.Choice choice = context.agentFor(worker, request.agent());
    RunId id = request.runId().orElseGet(() -> context.engine().runs().freshId(request.prompt()));
    RunSpec spec =
        new RunSpec(
            request.prompt(),
            choice.agent(),
            worker,
            workspaces.of(id, request.dir()),
            caller.author(),
            request.pending().or(() -> plan.map(WorkerConfig::pending)).orElse(PendingPolicy.ALL),
            request
                .attempts()
                .or(() -> plan.map(WorkerConfig::attempts))
                .orElse(RunSpec.DEFAULT_ATTEMPTS),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());
    Run run = context.engine().runs().create(new NewRun(Optional.of(id), spec));
    return new Started(view(run), choice.note());
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
      return view(dispatched.orElseGet(() -> dispatchAnew(caller, named, written, key)));
    } catch (RefusedException refused) {
      accessControl.note(caller, runId(written), "dispatch", refused.description());
      throw refused;
    }
  }

  /** Asked first, so that a repeated request does not depend on workers and agents of now. */
  private Optional<Run> dispatchedBefore(Caller caller, JsonValue written, IdempotencyKey key) {
    return context.engine().dispatching().dispatched(written, caller.author().group(), key);
  }

  private Run dispatchAnew(
      Caller caller, Optional<WorkerName> named, JsonValue written, Optional<IdempotencyKey> key) {
    WorkerName worker = named.orElseGet(() -> leastBusy(caller));
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
            plan.attempts());
    return context.engine().dispatching().dispatch(written, lane, caller.author(), key);
  }

  /** The run that a dispatch names; a placeholder if it names none. */
  public static RunId runId(JsonValue written) {
    try {
      return written instanceof JsonValue.Obj fields
          ? fields.string("run_id").map(RunId::of).orElse(AccessControl.NO_RUN)
          : AccessControl.NO_RUN;
    } catch (RefusedException notAnId) {
      return AccessControl.NO_RUN;
    }
  }

  /** The least busy of the workers with names of their own that the caller may direct. */
  private WorkerName leastBusy(Caller caller) {
    List<Run> live = context.engine().ledger().read(LedgerReader::liveRuns);
    return context.workers().workers().stream()
        .filter(plan -> !plan.name().many())
        .map(plan -> WorkerName.of(plan.name().text()))
        .filter(name -> Authority.objection(caller, new Action.Dispatch(name)).isEmpty())
        .min(
            Comparator.comparingLong(
                name -> live.stream().filter(run -> run.spec().worker().equals(name)).count()))
        .orElseThrow(() ->
            Problem.of(
                    Code.INVALID,
                    "worker",
                    "required, unless midcourse.toml declares a worker by its full name",
                    "worker is missing")
                .refused());
  }

  /** A page of the newest runs of the query that the caller may see. */
  public Views.RunPage list(Caller caller, RunQuery query) {
    accessControl.require(caller, new Action.ListRuns());
    RunQuery oneMore =
        new RunQuery(
            query.states(),
            query.worker(),
            Authority.sight(caller),
            query.olderThan(),
            query.limit() + 1);
    List<RunView> found =
        context
            .engine()
            .ledger()
            .read(reading -> {
              query.olderThan().ifPresent(id -> requireKnown(reading, id));
              return reading.runs(oneMore).stream().map(run -> view(reading, run)).toList();
            });
    boolean more = found.size() > query.limit();
    List<RunView> page = more ? found.subList(0, query.limit()) : found;
    return new Views.RunPage(page, more ? Optional.of(page.getLast().runId()) : Optional.empty());
  }

  private static void requireKnown(LedgerReader reading, RunId id) {
    if (reading.run(id).isEmpty()) {
      throw Problem.invalid("older_than", "a known run", "run " + id + " not found").refused();
    }
  }

  /**
   * A run as it stands.
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

  /** The receipts of a run's steers, in their order. */
  public List<Receipt> steers(Caller caller, String run) {
    RunId id = visible(caller, run).id();
    return read(reading -> reading.steers(id)).stream().map(Receipt::of).toList();
  }

  List<TurnRecord> turns(Caller caller, String run) {
    RunId id = visible(caller, run).id();
    return read(reading -> reading.turns(id));
  }

  List<Attempt> attempts(Caller caller, String run) {
    RunId id = visible(caller, run).id();
    return read(reading -> reading.attempts(id));
  }

  List<Ask> asks(Caller caller, String run) {
    RunId id = visible(caller, run).id();
    return read(reading -> reading.asks(id));
  }

  /** The changes of the run in its checkout. */
  Patch diff(Caller caller, String run) {
    return context.engine().reviews().diff(visible(caller, run).id());
  }

  /** The run that the text names, if the caller may see it; refuses otherwise. */
  Run visible(Caller caller, String run) {
    Run known = lookup.run(run);
    accessControl.require(caller, Action.See.of(known));
    return known;
  }

  /** Requests that the run and everything its agent has started be stopped; does not wait. */
  public RunView stop(Caller caller, String run) {
    RunId id = directed(caller, run, "stop").id();
    context.engine().runs().stop(id, caller.author());
    return view(lookup.run(id.value()));
  }

  /** Queues an ended run once more. */
  RunView restart(Caller caller, String run, Restart request) {
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

  /** Accepts the work of a run, which is returned, or queues and returns a run that reworks it. */
  public RunView review(Caller caller, String run, Review review) {
    RunId id = directed(caller, run, "review").id();
    String text = review.text().orElse("");
    return view(
        switch (review.verdict()) {
          case ACCEPT -> context.engine().reviews().accept(id, text, caller.author());
          case REWORK -> context.engine().reviews().rework(id, text, caller.author());
        });
  }

  private Run directed(Caller caller, String run, String how) {
    Run known = lookup.run(run);
    accessControl.require(caller, Action.Direct.of(known, how));
    return known;
  }

  /** Stores a steer durably and measures how long that took. */
  public SubmitResult steer(Caller caller, String run, SteerBody request) {
    Instant asked = context.clock().instant();
    return measured(
        context.engine().steering().submit(request(caller, lookup.run(run), request)), asked);
  }

  /**
   * The same without waiting; steers of one thread are stored in its order.
   *
   * @param known a cache of the runs that the steers of one batch name
   */
  public CompletableFuture<SubmitResult> steerLater(
      Caller caller, String run, SteerBody request, Map<String, Run> known) {
    Instant asked = context.clock().instant();
    Run steered = known.computeIfAbsent(run, lookup::run);
    return context
        .engine()
        .steering()
        .submitLater(request(caller, steered, request))
        .thenApply(submitted -> measured(submitted, asked));
  }

  private SubmitResult measured(SubmitResult submitted, Instant asked) {
    if (!submitted.repeated()) {
      context.steerLatency().stored(submitted.receipt().steerId(), asked, submitted.durable());
    }
    return submitted;
  }

  private SteerRequest request(Caller caller, Run run, SteerBody request) {
    accessControl.require(caller, Action.Direct.of(run, "steer"));
    return new SteerRequest(
        run.id(),
        caller.author(),
        request.text(),
        request.mode().orElse(SteerMode.STEER),
        request.onUnsupported().orElse(OnUnsupported.DEGRADE),
        request.key(),
        request.expectedTurn(),
        request.ttl(),
        request.supersedes().map(lookup::steer).map(Steer::id));
  }

  /** The receipt of a steer that the caller may see. */
  Receipt receipt(Caller caller, String steer) {
    Steer known = lookup.steer(steer);
    accessControl.require(caller, Action.See.of(runOf(known)));
    return Receipt.of(known);
  }

  /** Waits until a steer has reached the rung or has ended, at most so long. */
  public Receipt await(SteerId steer, Rung rung, Duration atMost) throws InterruptedException {
    return context.engine().steering().await(steer, rung, atMost);
  }

  /** Takes a steer back that is not in the conversation yet. */
  public Receipt withdraw(Caller caller, String steer, Optional<String> reason) {
    SteerId id = directedSteer(caller, steer, "withdraw a steer of");
    return context.engine().steering().withdraw(id, reason.orElse(DEFAULT_WITHDRAWAL_REASON));
  }

  /** Changes the text of a pending steer. */
  Receipt edit(Caller caller, String steer, SteerText text) {
    return context.engine().steering().edit(directedSteer(caller, steer, "edit a steer of"), text);
  }

  /** Makes a pending follow-up a steer for now. */
  Receipt promote(Caller caller, String steer) {
    return context.engine().steering().promote(directedSteer(caller, steer, "promote a steer of"));
  }

  private SteerId directedSteer(Caller caller, String steer, String how) {
    Steer known = lookup.steer(steer);
    accessControl.require(caller, Action.Direct.of(runOf(known), how));
    return known.id();
  }

  private Run runOf(Steer steer) {
    return lookup.run(steer.run().value());
  }

  /** Answers a question of the run's agent; returns the question, closed. */
  Ask answer(Caller caller, String run, String ask, Reply reply) {
    Run known = lookup.run(run);
    accessControl.require(caller, new Action.Answer(known.id(), known.spec().worker()));
    context.engine().runs().answer(known.id(), ask, answer(reply), caller.author());
    return read(reading -> reading.ask(known.id(), ask))
        .orElseThrow(() ->
            Problem.of(Code.NOT_FOUND, "ask", "a question of the run", "there is no ask " + ask)
                .refused());
  }

  private static Agent.QuestionAnswer answer(Reply reply) {
    return switch (reply.answer()) {
      case "allow" -> new Agent.QuestionAnswer.Allow();
      case "deny" -> new Agent.QuestionAnswer.Deny(reply.why().orElse("a person said no"));
      default -> {
        if (reply.answer().isBlank()) {
          throw Problem.invalid("answer", "allow, deny or words", "the answer is blank").refused();
        }
        yield new Agent.QuestionAnswer.Words(reply.answer());
      }
    };
  }

  /** The group as a caller, if this caller may speak as that group. */
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
  public void requireMayTell(Caller caller, GroupName to) {
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
