package dev.midcourse.hub.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.midcourse.core.authority.Act;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.RunState;
import dev.midcourse.core.steer.Rung;
import dev.midcourse.engine.EngineSettings;
import dev.midcourse.hub.api.Forms.Prune;
import dev.midcourse.hub.http.Answer;
import dev.midcourse.hub.http.Call;
import dev.midcourse.hub.http.Route;
import dev.midcourse.hub.http.Route.Nothing;
import dev.midcourse.hub.metrics.Exposition;
import dev.midcourse.ledger.Reading;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** The hub itself: how it is, who works here, and its end. */
final class HouseRoutes {
  private final Parts parts;
  private final Permits permits;
  private final Sandboxes sandboxes;

  HouseRoutes(Parts parts) {
    this.parts = parts;
    this.permits = parts.permits();
    this.sandboxes = new Sandboxes(parts.clock());
  }

  List<Route<?, ?>> routes() {
    return List.of(
        Route.get("/api/v1/health", "How the hub is, and how fast it was in the last hour.")
            .answers(200, "it is up", Examples.HEALTH)
            .by(this::health),
        Route.get("/api/v1/metrics", "Figures for Prometheus.")
            .answers(200, "figures", Exposition.CONTENT_TYPE, Examples.METRICS)
            .by(this::metrics),
        Route.get("/api/v1/agents", "The agents the hub knows, and which are installed.")
            .answers(200, "the agents", Examples.AGENTS)
            .by(this::agents),
        Route.get("/api/v1/workers", "The lanes that take runs.")
            .answers(200, "the workers", Examples.WORKERS)
            .by(this::workers),
        Route.post("/api/v1/shutdown", "End the hub; the agents go on and the next hub finds them.")
            .answers(200, "which runs are left to the next hub", Examples.LEFT)
            .by(this::shutdown),
        Route.post(
                "/api/v1/prune",
                "Delete runs that ended long ago, with all that is kept of them, and old events about no"
                    + " run.")
            .takes(Prune.class, new Prune(Duration.ofDays(30)))
            .answers(200, "how many", Examples.PRUNED)
            .by(this::prune));
  }

  private Answer health(Call<Nothing, Nothing> call) {
    permits.require(call.asker(), new Act.SeeAll());
    Parts.Facts facts = parts.facts();
    return Answer.ok(
        new Views.Health(
            "ok",
            facts.version(),
            facts.pid(),
            facts.data().toString(),
            facts.url(),
            facts.startedAt(),
            parts.clients().getAsInt(),
            runsByState(),
            parts.hops().lastHour()));
  }

  private Map<String, Integer> runsByState() {
    Map<String, Integer> counts = new TreeMap<>();
    parts
        .engine()
        .ledger()
        .read(reading -> reading.countRuns())
        .forEach((state, count) -> counts.put(state.wire(), count));
    return counts;
  }

  private Answer metrics(Call<Nothing, Nothing> call) throws InterruptedException {
    permits.require(call.asker(), new Act.SeeAll());
    Map<String, Integer> states = new TreeMap<>();
    for (RunState state : RunState.values()) {
      states.put(state.wire(), 0);
    }
    states.putAll(runsByState());
    String text =
        new Exposition()
            .hops(
                "midcourse_hop_seconds",
                "How long each stretch of a steer's way took.",
                parts.hops())
            .lastHour(
                "midcourse_hop_last_hour_seconds",
                "How long each stretch took in the last hour: half and 99 of 100 were no slower.",
                parts.hops())
            .ends("midcourse_steers_ended_total", "Steers by how they ended.", parts.hops())
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
                parts.processes().count())
            .gauge("midcourse_agents", "Agents attended now.", parts.engine().attended().size())
            .gauge("midcourse_clients", "Clients connected now.", parts.clients().getAsInt())
            .gauge(
                "midcourse_log_cursor",
                "The newest cursor of the log.",
                parts.engine().ledger().log().newest())
            .toString();
    return new Answer.Bytes(200, Exposition.CONTENT_TYPE, text.getBytes(UTF_8), Map.of());
  }

  private Map<String, Integer> openSteers() {
    Map<String, Integer> depths = new LinkedHashMap<>();
    Map<Rung, Integer> open = parts.engine().ledger().read(Reading::countOpenSteers);
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
    return parts.engine().ledger().read(reading -> reading.liveRuns());
  }

  private Answer agents(Call<Nothing, Nothing> call) {
    permits.require(call.asker(), new Act.SeeAll());
    return Answer.ok(
        new Views.Agents(parts.roster().all().stream().map(Views.OneAgent::of).toList()));
  }

  private Answer workers(Call<Nothing, Nothing> call) {
    permits.require(call.asker(), new Act.SeeAll());
    EngineSettings settings = parts.engine().settings();
    List<Run> live = live();
    TreeSet<String> names = new TreeSet<>();
    names.add(EngineSettings.ANY_WORKER.value());
    settings.perWorker().keySet().stream()
        .filter(pattern -> !pattern.many())
        .forEach(pattern -> names.add(pattern.text()));
    live.forEach(run -> names.add(run.spec().worker().value()));
    return Answer.ok(
        new Views.Workers(
            names.stream().map(name -> worker(WorkerName.of(name), settings, live)).toList()));
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
        parts.crew().plan(name).flatMap(plan -> sandboxes.look(plan.confinement().sandbox())));
  }

  private Answer shutdown(Call<Nothing, Nothing> call) {
    permits.require(call.asker(), new Act.Keep("end the hub"));
    List<RunId> left = parts.engine().attended();
    parts.goDown().run();
    return Answer.ok(new Views.Left(left));
  }

  private Answer prune(Call<Prune, Nothing> call) {
    permits.require(call.asker(), new Act.Keep("delete runs"));
    Instant before = parts.clock().instant().minus(call.body().olderThan());
    parts.engine().reviews().tidy();
    int pruned = parts.engine().ledger().prune(before);
    new Sweeping(parts.engine()).removeWhatIsOfNoRun();
    return Answer.ok(new Views.Pruned(pruned));
  }
}
