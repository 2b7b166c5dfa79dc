package dev.midcourse.hub.api;

import dev.midcourse.core.authority.Action;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.RunState;
import dev.midcourse.core.steer.Rung;
import dev.midcourse.engine.context.EngineSettings;
import dev.midcourse.hub.api.access.AccessControl;
import dev.midcourse.hub.api.json.Examples;
import dev.midcourse.hub.api.json.Requests.Prune;
import dev.midcourse.hub.api.json.Views;
import dev.midcourse.hub.api.operation.HubContext;
import dev.midcourse.hub.http.route.ApiCall;
import dev.midcourse.hub.http.route.ApiResponse;
import dev.midcourse.hub.http.route.Route;
import dev.midcourse.hub.http.route.Route.Nothing;
import dev.midcourse.hub.metrics.PrometheusText;
import dev.midcourse.hub.settings.worker.WorkerConfig;
import dev.midcourse.ledger.LedgerReader;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/** The HTTP routes of the hub itself: health, metrics, agents, workers, shutdown and prune. */
final class HubRoutes {
  private final HubContext context;
  private final AccessControl accessControl;
  private final Sandboxes sandboxes;

  HubRoutes(HubContext context) {
    this.context = context;
    this.accessControl = context.permits();
    this.sandboxes = new Sandboxes(context.clock());
  }

  List<Route<?, ?>> routes() {
    return List.of(
        Route.get("/api/v1/health", "How the hub is, and how fast it was in the last hour.")
            .answers(200, "it is up", Examples.HEALTH)
            .by(this::health),
        Route.get("/api/v1/metrics", "Figures for Prometheus.")
            .answers(200, "figures", PrometheusText.CONTENT_TYPE, Examples.METRICS)
            .by(this::metrics),
        Route.get("/api/v1/agents", "The agents the hub knows, and which are installed.")
            .answers(200, "the agents", Examples.AGENTS)
            .by(this::agents),
        Route.get("/api/v1/workers", "The lanes that take runs.")
            .answers(200, "the workers", Examples.WORKERS)
            .by(this::workers),
        Route.post("/api/v1/shutdown", "End the hub; the agents go on and the next hub finds them.")
            .answers(200, "which runs are left to the next hub", Examples.SHUTDOWN_RESULT)
            .by(this::shutdown),
        Route.post(
                "/api/v1/prune",
                "Delete runs that ended long ago, with all that is kept of them, and old events"
                    + " about no run.")
            .takes(Prune.class, new Prune(Duration.ofDays(30)))
            .answers(200, "how many", Examples.PRUNED)
            .by(this::prune));
  }

  private ApiResponse health(ApiCall<Nothing, Nothing> call) {
    accessControl.require(call.caller(), new Action.SeeAll());
    HubContext.HubInfo facts = context.facts();
    return ApiResponse.ok(
        new Views.Health(
            "ok",
            facts.version(),
            facts.pid(),
            facts.data().toString(),
            facts.url(),
            facts.startedAt(),
            context.clients().getAsInt(),
            runsByState(),
            context.steerLatency().lastHour()));
  }

  private Map<String, Integer> runsByState() {
    Map<String, Integer> counts = new TreeMap<>();
    context
        .engine()
        .ledger()
        .read(reading -> reading.countRuns())
        .forEach((state, count) -> counts.put(state.wire(), count));
    return counts;
  }

  private ApiResponse metrics(ApiCall<Nothing, Nothing> call) throws InterruptedException {
    accessControl.require(call.caller(), new Action.SeeAll());
    Map<String, Integer> states = new TreeMap<>();
    for (RunState state : RunState.values()) {
      states.put(state.wire(), 0);
    }
    states.putAll(runsByState());
    byte[] text =
        new PrometheusText()
            .latencies(context.steerLatency())
            .ends(context.steerLatency())
            .gauges("midcourse_runs", "Runs by state.", "state", states)
            .gauges("midcourse_queue_depth", "Runs that wait, by worker.", "worker", queues())
            .gauges(
                "midcourse_steers_open",
                "Steers that have not ended, by the rung they have reached.",
                "rung",
                openSteers())
            .gauge(
                "midcourse_agent_processes",
                "Processes of agents and of what they have started, by their mark.",
                context.processes().count())
            .gauge("midcourse_agents", "Agents attended now.", context.engine().attended().size())
            .gauge("midcourse_clients", "Clients connected now.", context.clients().getAsInt())
            .gauge(
                "midcourse_log_cursor",
                "The newest cursor of the log.",
                context.engine().ledger().log().newest())
            .bytes();
    return new ApiResponse.Bytes(200, PrometheusText.CONTENT_TYPE, text, Map.of());
  }

  private Map<String, Integer> openSteers() {
    Map<String, Integer> depths = new LinkedHashMap<>();
    Map<Rung, Integer> open = context.engine().ledger().read(LedgerReader::countOpenSteers);
    for (Rung rung : Rung.values()) {
      depths.put(rung.wire(), open.getOrDefault(rung, 0));
    }
    return depths;
  }

  private Map<String, Integer> queues() {
    Map<String, Integer> depths = new TreeMap<>();
    live().stream()
        .filter(run -> run.state() == RunState.QUEUED)
        .forEach(run -> depths.merge(run.spec().worker().value(), 1, Integer::sum));
    return depths;
  }

  private List<Run> live() {
    return context.engine().ledger().read(reading -> reading.liveRuns());
  }

  private ApiResponse agents(ApiCall<Nothing, Nothing> call) {
    accessControl.require(call.caller(), new Action.SeeAll());
    return ApiResponse.ok(
        new Views.Agents(context.agentSelector().all().stream().map(Views.OneAgent::of).toList()));
  }

  private ApiResponse workers(ApiCall<Nothing, Nothing> call) {
    accessControl.require(call.caller(), new Action.SeeAll());
    EngineSettings settings = context.engine().settings();
    List<Run> live = live();
    TreeSet<String> names = new TreeSet<>();
    names.add(EngineSettings.ANY_WORKER.value());
    settings.perWorker().keySet().stream()
        .filter(pattern -> !pattern.many())
        .forEach(pattern -> names.add(pattern.text()));
    live.forEach(run -> names.add(run.spec().worker().value()));
    Stream<Views.OneWorker> patterns =
        context.workers().workers().stream()
            .filter(plan -> plan.name().many())
            .map(plan -> pattern(plan, live));
    return ApiResponse.ok(
        new Views.Workers(
            Stream.concat(
                    names.stream().map(name -> worker(WorkerName.of(name), settings, live)),
                    patterns)
                .toList()));
  }

  /** Returns the view of a pattern, with the runs of all workers that it declares. */
  private Views.OneWorker pattern(WorkerConfig plan, List<Run> live) {
    List<RunState> states =
        live.stream()
            .filter(run -> context.workers().plan(run.spec().worker()).equals(Optional.of(plan)))
            .map(Run::state)
            .toList();
    int running = (int) states.stream().filter(state -> state == RunState.RUNNING).count();
    return new Views.OneWorker(
        plan.name().text(),
        plan.atOnce(),
        running,
        states.size() - running,
        sandboxes.look(plan.confinement().sandbox()));
  }

  private Views.OneWorker worker(WorkerName name, EngineSettings settings, List<Run> live) {
    List<RunState> states =
        live.stream().filter(run -> run.spec().worker().equals(name)).map(Run::state).toList();
    int running = (int) states.stream().filter(state -> state == RunState.RUNNING).count();
    return new Views.OneWorker(
        name.value(),
        settings.atOnce(name),
        running,
        states.size() - running,
        context.workers().plan(name).flatMap(plan -> sandboxes.look(plan.confinement().sandbox())));
  }

  private ApiResponse shutdown(ApiCall<Nothing, Nothing> call) {
    accessControl.require(call.caller(), new Action.Keep("end the hub"));
    List<RunId> left = context.engine().attended();
    context.shutdown().run();
    return ApiResponse.ok(new Views.ShutdownResult(left));
  }

  private ApiResponse prune(ApiCall<Prune, Nothing> call) {
    accessControl.require(call.caller(), new Action.Keep("delete runs"));
    Instant before = context.clock().instant().minus(call.body().olderThan());
    context.engine().reviews().tidy();
    int pruned = context.engine().ledger().prune(before);
    new OrphanCleanup(context.engine()).removeOrphans();
    return ApiResponse.ok(new Views.Pruned(pruned));
  }
}
