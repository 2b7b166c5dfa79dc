package dev.midcourse.hub.loop;

import dev.midcourse.agents.git.Repository;
import dev.midcourse.autopilot.ForgePlanner.ForgePlan;
import dev.midcourse.autopilot.ForgePlanner.ForgeRequest;
import dev.midcourse.autopilot.LoopOrder;
import dev.midcourse.autopilot.LoopService;
import dev.midcourse.core.Problem;
import dev.midcourse.core.authority.Action;
import dev.midcourse.core.authority.Authority;
import dev.midcourse.core.authority.Caller;
import dev.midcourse.core.contract.BranchName;
import dev.midcourse.core.event.RunEvent;
import dev.midcourse.core.id.AgentName;
import dev.midcourse.core.id.IdempotencyKey;
import dev.midcourse.core.id.LoopId;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.id.SteerReference;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.loop.CommitRange;
import dev.midcourse.core.loop.GuidanceScope;
import dev.midcourse.core.loop.Loop;
import dev.midcourse.core.loop.LoopBudget;
import dev.midcourse.core.loop.LoopPhase;
import dev.midcourse.core.loop.LoopReviewer;
import dev.midcourse.core.loop.LoopSpec;
import dev.midcourse.core.loop.finding.FindingId;
import dev.midcourse.core.loop.finding.FindingLines;
import dev.midcourse.core.loop.finding.ReportedFinding;
import dev.midcourse.core.loop.queue.MergeQueue;
import dev.midcourse.core.loop.queue.QueueKey;
import dev.midcourse.core.loop.step.LoopCommand;
import dev.midcourse.core.steer.Author;
import dev.midcourse.core.steer.SteerText;
import dev.midcourse.engine.context.EngineSettings;
import dev.midcourse.hub.api.json.Requests.RunRequest;
import dev.midcourse.hub.api.operation.HubContext;
import dev.midcourse.hub.api.operation.HubOperations;
import dev.midcourse.hub.loop.LoopRequests.FindingRequest;
import dev.midcourse.hub.loop.LoopRequests.GoRequest;
import dev.midcourse.hub.loop.LoopRequests.GuidanceRequest;
import dev.midcourse.hub.loop.LoopRequests.LoopRequest;
import dev.midcourse.hub.loop.LoopRequests.PersonReview;
import dev.midcourse.hub.loop.LoopRequests.PlanRequest;
import dev.midcourse.hub.loop.LoopRequests.RewordRequest;
import dev.midcourse.hub.loop.LoopViews.Forges;
import dev.midcourse.hub.loop.LoopViews.LoopDetails;
import dev.midcourse.hub.loop.LoopViews.LoopView;
import dev.midcourse.hub.loop.LoopViews.News;
import dev.midcourse.hub.loop.LoopViews.Plan;
import dev.midcourse.hub.loop.QueueViews.QueuePlace;
import dev.midcourse.hub.loop.QueueViews.QueueView;
import dev.midcourse.ledger.Ledger;
import dev.midcourse.ledger.Log;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The use cases of loops for all interfaces: each asks {@link Authority}, logs a refusal and does
 * the work. A loop may be named by its whole id or by an unambiguous beginning of it.
 */
public final class LoopOperations implements AutoCloseable {
  private static final int MAX_LISTED = 200;
  private static final int MAX_NEWS = 200;
  private static final int MAX_NAMED = 8;
  private static final int BRANCH_SUFFIX = 8;
  private static final Duration MAX_WAIT = Duration.ofSeconds(30);
  private static final RunId ANY_RUN = RunId.of("loop");
  private static final String WITHDRAWN = "withdrawn by its author";

  private final HubContext context;
  private final HubOperations operations;
  private final LoopService service;
  private final LoopForges forges;

  public LoopOperations(HubContext context, HubOperations operations, LoopService service) {
    this.context = context;
    this.operations = operations;
    this.service = service;
    this.forges = new LoopForges(service);
  }

  /** Goes on with the loops of the last hub. */
  public void start() {
    service.start();
  }

  @Override
  public void close() {
    service.close();
  }

  public LoopView create(Caller caller, LoopRequest request) throws InterruptedException {
    context.permits().require(caller, new Action.StartLoop(Optional.empty()));
    WorkerName worker = request.worker().orElse(EngineSettings.ANY_WORKER);
    AgentName agent = plannedAgent(request.agent(), request.worker(), caller.author());
    LoopReviewer reviewer = LoopReviewer.parse(request.reviewer().orElseGet(agent::value));
    if (reviewer instanceof LoopReviewer.OfAgent(AgentName name)) {
      AgentName _ = plannedAgent(Optional.of(name), Optional.empty(), caller.author());
    }
    LoopBudget budget =
        new LoopBudget(
            request.fixes().orElse(LoopBudget.DEFAULT.fixes()),
            request.reviews().orElse(LoopBudget.DEFAULT.reviews()),
            request.budget().map(dollars -> Math.round(dollars * 1_000_000)),
            request.tokens(),
            request.time());
    Path repository = repository(request.repo());
    Optional<ForgePlan> plan =
        request.atForge().isPresent()
            ? Optional.of(
                forges.plan(
                    repository,
                    withLoopBelow(caller, request.atForge().get()),
                    request.branch().map(BranchName::of),
                    request.base().map(BranchName::of)))
            : Optional.empty();
    LoopOrder order =
        new LoopOrder(
            request.prompt(),
            repository,
            plan.flatMap(ForgePlan::base).or(() -> request.base().map(BranchName::of)),
            plan.flatMap(ForgePlan::branch).or(() -> request.branch().map(BranchName::of)),
            worker,
            agent,
            reviewer,
            request.ci(),
            request.reviewTimeout().orElse(LoopSpec.DEFAULT_REVIEW_TIMEOUT),
            request.ciTimeout().orElse(LoopSpec.DEFAULT_CI_TIMEOUT),
            budget,
            request.land().orElse(false),
            plan.map(ForgePlan::order));
    return view(service.create(order, caller.author()));
  }

  /** The loop below may be named by the beginning of its id. */
  private ForgeRequest withLoopBelow(Caller caller, ForgeRequest request) {
    return request.withOn(request.on().map(it -> found(caller, it.value()).id()));
  }

  private LoopView view(Loop loop) {
    return LoopView.of(loop, service.nextLook(loop.id()));
  }

  /** What a loop would do at a forge. */
  Plan plan(Caller caller, PlanRequest request) throws InterruptedException {
    context.permits().require(caller, new Action.StartLoop(Optional.empty()));
    ForgePlan plan =
        forges.plan(
            repository(request.repo()),
            withLoopBelow(caller, request.atForge()),
            request.branch().map(BranchName::of),
            request.base().map(BranchName::of));
    return LoopForges.view(plan);
  }

  /** The forges of the settings, and whether they can be used for the project of a clone. */
  Forges forges(Caller caller, Optional<String> repo) throws InterruptedException {
    context.permits().require(caller, new Action.StartLoop(Optional.empty()));
    return forges.list(repo.map(LoopOperations::repository));
  }

  /**
   * Lets loops look at their changes, because a forge says that something has happened. Returns
   * whether the forge has really said so.
   */
  boolean wake(String forge, Map<String, String> headers, String body) {
    return forges.wake(forge, headers, body);
  }

  /**
   * Starts a loop in a folder of the worker, for a person who names neither folder nor command. The
   * same key again gives the same loop.
   */
  LoopView createFor(
      Caller caller,
      WorkerName worker,
      String task,
      Path repository,
      boolean byPerson,
      String key) {
    context.permits().require(caller, new Action.StartLoop(Optional.of(worker)));
    BranchName branch = BranchName.of("autopilot/chat-" + key.substring(0, BRANCH_SUFFIX));
    Optional<Loop> started =
        this.<List<Loop>>read(r -> r.loops().newest(MAX_LISTED)).stream()
            .filter(it -> it.spec().branch().equals(branch))
            .findFirst();
    if (started.isPresent()) {
      return view(started.get());
    }
    AgentName agent = plannedAgent(Optional.empty(), Optional.of(worker), caller.author());
    LoopOrder order =
        new LoopOrder(
            task,
            repository,
            Optional.empty(),
            Optional.of(branch),
            worker,
            agent,
            byPerson ? new LoopReviewer.OfPerson() : new LoopReviewer.OfAgent(agent),
            Optional.empty(),
            LoopSpec.DEFAULT_REVIEW_TIMEOUT,
            LoopSpec.DEFAULT_CI_TIMEOUT,
            LoopBudget.DEFAULT,
            false,
            Optional.empty());
    return view(service.create(order, caller.author()));
  }

  /** The agent that a run would have; refuses one that is not installed. */
  private AgentName plannedAgent(
      Optional<AgentName> agent, Optional<WorkerName> worker, Author author) {
    RunRequest run =
        new RunRequest(
            "x",
            agent,
            worker,
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());
    return operations.runs().plan(ANY_RUN, run, author).spec().agent();
  }

  private static Path repository(String text) {
    if (!text.startsWith("/") || text.indexOf('\0') >= 0 || !Files.isDirectory(Path.of(text))) {
      throw Problem.invalid(
              "repo",
              "the absolute path of a git clone on the hub's machine",
              dev.midcourse.core.WireNames.shown(text) + " is not a directory")
          .refused();
    }
    return Path.of(text).normalize();
  }

  public List<LoopView> list(Caller caller, boolean withEnded) {
    return visible(caller, withEnded).stream().map(this::view).toList();
  }

  /** The loops that the caller may see, the newest first. */
  List<Loop> loops(Caller caller) {
    return visible(caller, true);
  }

  /** The loop of this id, if the caller may see it. */
  Loop loop(Caller caller, String id) {
    return found(caller, id);
  }

  /** What was decided first about a loop after this time; without a time, its newest news. */
  String decisionAfter(Loop loop, Optional<Instant> time) {
    Log.Filter filter = Log.Filter.of(RunId.of(loop.id().value()), RunEvent.LoopMoved.class);
    List<Log.LogEntry> news = context.engine().ledger().log().last(filter, MAX_NEWS).entries();
    return news.stream()
        .filter(entry -> time.filter(entry.at()::isAfter).isPresent())
        .findFirst()
        .or(() -> news.isEmpty() ? Optional.empty() : Optional.of(news.getLast()))
        .map(entry -> entry.event() instanceof RunEvent.LoopMoved it ? it.text() : "")
        .orElse("loop " + loop.id() + " is " + loop.phase().wire());
  }

  private List<Loop> visible(Caller caller, boolean withEnded) {
    List<Loop> all =
        read(r -> withEnded ? r.loops().newest(MAX_LISTED) : r.loops().unended().reversed());
    return all.stream()
        .filter(it ->
            Authority.objection(caller, new Action.SeeLoop(it.id(), it.spec().worker())).isEmpty())
        .toList();
  }

  /** The loop, and what it did after the cursor; waits for news if there are none. */
  LoopDetails show(Caller caller, String loop, Optional<Long> after, Optional<Duration> wait)
      throws InterruptedException {
    LoopId id = found(caller, loop).id();
    Log.Filter filter = Log.Filter.of(RunId.of(id.value()), RunEvent.LoopMoved.class);
    Log log = context.engine().ledger().log();
    Log.Page page;
    if (after.isEmpty()) {
      long newest = log.newest();
      page = new Log.Page(log.last(filter, MAX_NEWS).entries(), newest);
    } else {
      Duration atMost = wait.filter(it -> it.compareTo(MAX_WAIT) < 0).orElse(MAX_WAIT);
      page =
          wait.isPresent()
              ? log.await(after.get(), filter, MAX_NEWS, atMost)
              : log.after(after.get(), filter, MAX_NEWS);
    }
    List<News> news =
        page.entries().stream()
            .filter(entry -> entry.event() instanceof RunEvent.LoopMoved)
            .map(entry -> {
              RunEvent.LoopMoved moved = (RunEvent.LoopMoved) entry.event();
              return new News(entry.at(), moved.phase(), moved.text());
            })
            .toList();
    Loop now = found(caller, id.value());
    return new LoopDetails(
        view(now), news, page.next(), place(now), read(r -> LoopProgress.of(now, r)));
  }

  private Optional<QueuePlace> place(Loop loop) {
    return loop.phase() == LoopPhase.LAND
        ? this.<Optional<MergeQueue>>read(r -> r.loops().queue(QueueKey.of(loop)))
            .flatMap(queue -> QueuePlace.of(queue, loop.id()))
        : Optional.empty();
  }

  /** The merge queues in which a loop waits that the caller may see. */
  public List<QueueView> queues(Caller caller) {
    Set<LoopId> seen = visible(caller, false).stream().map(Loop::id).collect(Collectors.toSet());
    return this.<List<MergeQueue>>read(r -> r.loops().queues()).stream()
        .map(queue -> QueueView.of(queue, seen::contains))
        .filter(view -> !view.loops().isEmpty())
        .toList();
  }

  /** The code that a call has changed, or the whole branch; empty if there is none yet. */
  Optional<LoopChanges> changes(Caller caller, String text, Optional<Integer> call) {
    Loop loop = found(caller, text);
    Optional<CommitRange> range = call.isPresent() ? loop.changesOf(call.get()) : loop.changes();
    if (range.isPresent() && !loop.spec().host().equals(service.host())) {
      throw Problem.of(
              Problem.Code.UNAVAILABLE,
              "loop_id",
              "a loop of this host",
              "the repository of loop " + loop.id() + " is on host " + loop.spec().host())
          .refused();
    }
    return range.map(it ->
        new LoopChanges(
            it, Repository.at(Path.of(loop.spec().repository())).changes(it.from(), it.to())));
  }

  // ---- orders

  public LoopView steer(Caller caller, String loop, GuidanceRequest request) {
    LoopId id = found(caller, loop).id();
    return order(
        caller,
        id.value(),
        "steer",
        author ->
            new LoopCommand.Guide(
                author,
                request.key().map(key -> guidanceId(id, author, key)).orElse(context.ids().steer()),
                request.scope().orElse(GuidanceScope.NOW),
                SteerText.of(request.text())));
  }

  /** The id of guidance that came with this key: the same on every try. */
  private static SteerId guidanceId(LoopId loop, Author author, IdempotencyKey key) {
    byte[] name = (loop + "/" + author.group() + "/" + key).getBytes(StandardCharsets.UTF_8);
    return SteerId.of(UUID.nameUUIDFromBytes(name).toString());
  }

  public LoopView withdraw(Caller caller, String loop, String steer, Optional<String> reason) {
    Loop found = found(caller, loop);
    SteerId id = guidance(found, steer);
    return order(
        caller,
        loop,
        "steer",
        author -> new LoopCommand.WithdrawGuidance(author, id, reason.orElse(WITHDRAWN)));
  }

  private static SteerId guidance(Loop loop, String text) {
    SteerReference asked = SteerReference.of(text);
    List<SteerId> matching =
        loop.guidance().stream()
            .map(it -> it.id())
            .filter(id -> id.value().startsWith(asked.value()))
            .toList();
    if (matching.size() != 1) {
      throw Problem.of(
              Problem.Code.NOT_FOUND,
              "steer_id",
              "a steer of this loop",
              "loop " + loop.id() + " has no single steer that begins with " + text)
          .refused();
    }
    return matching.getFirst();
  }

  public LoopView reword(Caller caller, String loop, RewordRequest request) {
    return order(
        caller,
        loop,
        "restart",
        author -> new LoopCommand.Reword(author, request.prompt(), request.from()));
  }

  public LoopView go(Caller caller, String loop, GoRequest request) {
    return order(
        caller,
        loop,
        "continue",
        author ->
            new LoopCommand.Go(
                author,
                notNegative("fixes", request.fixes()),
                notNegative("reviews", request.reviews())));
  }

  private static int notNegative(String field, Optional<Integer> count) {
    if (count.filter(it -> it < 0).isPresent()) {
      throw Problem.invalid(field, "at least 0", field + " must be at least 0").refused();
    }
    return count.orElse(0);
  }

  public LoopView skip(Caller caller, String loop) {
    return order(caller, loop, "skip the wait of", LoopCommand.Skip::new);
  }

  public LoopView pause(Caller caller, String loop) {
    return order(caller, loop, "pause", LoopCommand.Pause::new);
  }

  public LoopView stop(Caller caller, String loop) {
    return order(caller, loop, "stop", LoopCommand.Stop::new);
  }

  public LoopView land(Caller caller, String loop) {
    return order(caller, loop, "land", LoopCommand.Land::new);
  }

  public LoopView decide(Caller caller, String loop, String finding, FindingRequest request) {
    FindingId id = FindingId.of(finding);
    return order(
        caller,
        loop,
        "decide about a finding of",
        author ->
            new LoopCommand.Decide(
                author, context.ids().steer(), id, request.decision(), request.why().orElse("")));
  }

  public LoopView review(Caller caller, String loop, PersonReview review) {
    List<ReportedFinding> findings = FindingLines.read(review.findings().orElse(""));
    return order(
        caller, loop, "review", author -> new LoopCommand.Review(author, review.head(), findings));
  }

  private LoopView order(
      Caller caller, String loop, String how, Function<Author, LoopCommand> command) {
    Loop found = found(caller, loop);
    context
        .permits()
        .require(caller, new Action.DirectLoop(found.id(), found.spec().worker(), how));
    return view(service.apply(found.id(), command.apply(caller.author())));
  }

  private Loop found(Caller caller, String text) {
    LoopId id = LoopId.of(text);
    List<Loop> matching =
        visible(caller, true).stream().filter(it -> it.id().value().startsWith(text)).toList();
    Optional<Loop> exact =
        matching.stream().filter(it -> it.id().equals(id)).findFirst().or(() -> seen(caller, id));
    if (exact.isPresent() || matching.size() == 1) {
      return exact.orElseGet(matching::getFirst);
    }
    if (matching.isEmpty()) {
      throw LoopService.notFound(id);
    }
    String names =
        matching.stream()
            .limit(MAX_NAMED)
            .map(it -> it.id().value())
            .collect(Collectors.joining(", "));
    throw Problem.invalid(
            "loop_id",
            "the full id, or a longer start of it",
            "several loops start with " + text + ": " + names)
        .refused();
  }

  /** A loop that is older than the newest ones. */
  private Optional<Loop> seen(Caller caller, LoopId id) {
    return this.<Optional<Loop>>read(r -> r.loops().loop(id))
        .filter(it ->
            Authority.objection(caller, new Action.SeeLoop(it.id(), it.spec().worker())).isEmpty());
  }

  private <T> T read(Ledger.Query<T> look) {
    return context.engine().ledger().read(look);
  }
}
