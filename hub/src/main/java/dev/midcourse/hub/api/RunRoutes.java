package dev.midcourse.hub.api;

import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.authority.Act;
import dev.midcourse.core.authority.Asker;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.run.Attempt;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.RunSpec;
import dev.midcourse.core.run.RunState;
import dev.midcourse.core.steer.Author;
import dev.midcourse.core.steer.PendingPolicy;
import dev.midcourse.engine.EngineSettings;
import dev.midcourse.engine.NewRun;
import dev.midcourse.hub.api.Forms.Lines;
import dev.midcourse.hub.api.Forms.Listing;
import dev.midcourse.hub.api.Forms.Restart;
import dev.midcourse.hub.api.Forms.Review;
import dev.midcourse.hub.api.Forms.RunWish;
import dev.midcourse.hub.api.Forms.Stop;
import dev.midcourse.hub.api.Forms.WaitForEnd;
import dev.midcourse.hub.crew.WorkerPlan;
import dev.midcourse.hub.http.Answer;
import dev.midcourse.hub.http.Call;
import dev.midcourse.hub.http.Route;
import dev.midcourse.hub.http.Route.Nothing;
import dev.midcourse.ledger.Reading;
import dev.midcourse.ledger.RunQuery;
import dev.midcourse.ledger.json.Json;
import dev.midcourse.ledger.json.RunView;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ObjectNode;

/** Runs: ask for one, list them, look at one, stop it, start it again, review it. */
final class RunRoutes {
  private static final int USUAL_PAGE = 50;
  private static final int LARGEST_PAGE = 500;

  private final Parts parts;
  private final Lookup lookup;
  private final Permits permits;
  private final Workspaces workspaces;

  RunRoutes(Parts parts) {
    this.parts = parts;
    this.lookup = parts.lookup();
    this.permits = parts.permits();
    this.workspaces = new Workspaces(parts.engine().settings());
  }

  List<Route<?, ?>> routes() {
    return List.of(
        Route.post("/api/v1/runs", "Start a run: it is queued, and begins when its worker is free.")
            .takes(RunWish.class, Examples.RUN_WISH)
            .answers(201, "the run", Examples.RUN)
            .refuses(Code.DUPLICATE, Code.UNSUPPORTED)
            .by(this::create),
        Route.get("/api/v1/runs", "List runs, newest first.")
            .with(Listing.class)
            .answers(200, "a page of runs; next goes into older_than", Examples.RUNS)
            .by(this::list),
        Route.get("/api/v1/runs/{run}", "Look at a run; with wait=end, when it has ended.")
            .with(WaitForEnd.class)
            .answers(200, "the run", Examples.RUN)
            .by(this::show),
        Route.post("/api/v1/runs/{run}/stop", "Stop a run and everything its agent has started.")
            .takes(Stop.class, new Stop(Optional.of(true)))
            .answers(202, "the run, which will be stopped", Examples.RUN)
            .answers(200, "the run, of which no process is alive", Examples.RUN)
            .refuses(Code.RUN_ENDED)
            .by(this::stop),
        Route.post("/api/v1/runs/{run}/restart", "Run it once more, in its session unless fresh.")
            .takes(Restart.class, Examples.RESTART)
            .answers(201, "the run, queued again", Examples.RUN)
            .refuses(Code.DUPLICATE)
            .by(this::restart),
        Route.post("/api/v1/runs/{run}/review", "Accept the work, or have it reworked.")
            .takes(Review.class, Examples.REVIEW)
            .answers(200, "the run, accepted", Examples.RUN)
            .answers(201, "the run that reworks it", Examples.RUN)
            .by(this::review),
        Route.get("/api/v1/runs/{run}/turns", "The turns of a run.")
            .answers(200, "its turns in order", Examples.TURNS)
            .by(this::turns),
        Route.get("/api/v1/runs/{run}/attempts", "The attempts at a run.")
            .answers(200, "its attempts in order", Examples.ATTEMPTS)
            .by(this::attempts),
        Route.get("/api/v1/runs/{run}/log", "What the agent wrote, as it wrote it.")
            .with(Lines.class)
            .answers(200, "raw output", "text/plain", "{\"type\":\"started\"}\n")
            .by(this::log));
  }

  private Answer create(Call<RunWish, Nothing> call) {
    RunWish wish = call.body();
    WorkerName worker = wish.worker().orElse(EngineSettings.ANY_WORKER);
    permits.require(call.asker(), inPlainWords(worker));
    Optional<WorkerPlan> plan = parts.crew().plan(worker);
    Roster.Choice choice = parts.agentFor(worker, wish.agent());
    RunId id = wish.runId().orElseGet(() -> parts.engine().runs().freshId(wish.prompt()));
    RunSpec spec =
        new RunSpec(
            wish.prompt(),
            choice.agent(),
            worker,
            workspaces.of(id, wish.dir()),
            call.asker().author(),
            wish.pending().or(() -> plan.map(WorkerPlan::pending)).orElse(PendingPolicy.ALL),
            wish.attempts()
                .or(() -> plan.map(WorkerPlan::attempts))
                .orElse(RunSpec.DEFAULT_ATTEMPTS),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());
    Run run = parts.engine().runs().create(new NewRun(Optional.of(id), spec));
    ObjectNode answer = Json.mapper().valueToTree(view(run));
    choice.note().ifPresent(note -> answer.put("note", note));
    return Answer.created(answer);
  }

  private Act inPlainWords(WorkerName worker) {
    return new Act.Start(worker, parts.crew().plan(worker).isPresent());
  }

  private Answer list(Call<Nothing, Listing> call) {
    permits.require(call.asker(), new Act.SeeAll());
    Listing wanted = call.query();
    int limit = wanted.limit().orElse(USUAL_PAGE);
    if (limit < 1 || limit > LARGEST_PAGE) {
      throw Problem.invalid("limit", "1 to " + LARGEST_PAGE, "limit must be 1 to " + LARGEST_PAGE)
          .refused();
    }
    RunQuery query =
        new RunQuery(
            wanted.state().map(RunRoutes::states).orElse(Set.of()),
            wanted.worker(),
            wanted.olderThan(),
            limit + 1);
    List<RunView> found =
        parts
            .engine()
            .ledger()
            .read(reading -> {
              wanted.olderThan().ifPresent(id -> known(reading, id));
              return reading.runs(query).stream().map(run -> view(reading, run)).toList();
            });
    boolean more = found.size() > limit;
    List<RunView> page = more ? found.subList(0, limit) : found;
    return Answer.ok(
        new Views.RunPage(page, more ? Optional.of(page.getLast().runId()) : Optional.empty()));
  }

  private static void known(Reading reading, RunId id) {
    if (reading.run(id).isEmpty()) {
      throw Problem.invalid("older_than", "a known run", "there is no run " + id).refused();
    }
  }

  private static Set<RunState> states(String text) {
    return Arrays.stream(text.split(",", -1)).map(RunState::parse).collect(Collectors.toSet());
  }

  private Answer show(Call<Nothing, WaitForEnd> call) throws InterruptedException {
    Run run = lookup.run(call.path("run"));
    permits.require(call.asker(), Act.See.of(run));
    if (call.query().until().isEmpty()) {
      return Answer.ok(view(run));
    }
    return Answer.ok(view(parts.engine().runs().awaitEnd(run.id(), call.query().patience())));
  }

  private Answer stop(Call<Stop, Nothing> call) throws InterruptedException {
    Run run = directed(call.asker(), call.path("run"), "stop");
    parts.engine().runs().stop(run.id(), call.asker().author());
    if (!call.body().waits().orElse(false)) {
      return Answer.of(202, view(lookup.run(run.id().value())));
    }
    Run stopped = parts.engine().runs().awaitEnd(run.id(), Forms.USUAL_PATIENCE);
    return Answer.of(stopped.state().live() ? 202 : 200, view(stopped));
  }

  private Answer restart(Call<Restart, Nothing> call) {
    Run run = directed(call.asker(), call.path("run"), "restart");
    Restart wish = call.body();
    if (wish.prompt().isPresent() && run.spec().dispatch().isEmpty()) {
      permits.require(call.asker(), inPlainWords(run.spec().worker()));
    }
    return Answer.created(
        view(
            parts
                .engine()
                .runs()
                .restart(
                    run.id(), wish.prompt(), wish.fresh().orElse(false), call.asker().author())));
  }

  private Answer review(Call<Review, Nothing> call) {
    Run run = directed(call.asker(), call.path("run"), "review");
    Review review = call.body();
    Author author = call.asker().author();
    String text = review.text().orElse("");
    return switch (review.verdict()) {
      case ACCEPT -> Answer.ok(view(parts.engine().reviews().accept(run.id(), text, author)));
      case REWORK -> Answer.created(view(parts.engine().reviews().rework(run.id(), text, author)));
    };
  }

  private Answer turns(Call<Nothing, Nothing> call) {
    RunId run = seen(call.asker(), call.path("run"));
    return Answer.ok(
        new Views.Turns(
            parts.engine().ledger().read(r -> r.turns(run)).stream().map(Views.Turn::of).toList()));
  }

  private Answer attempts(Call<Nothing, Nothing> call) {
    RunId run = seen(call.asker(), call.path("run"));
    return Answer.ok(
        new Views.Attempts(
            parts.engine().ledger().read(r -> r.attempts(run)).stream()
                .map(Views.OneAttempt::of)
                .toList()));
  }

  private Answer log(Call<Nothing, Lines> call) {
    RunId run = seen(call.asker(), call.path("run"));
    int attempt =
        call.query()
            .attempt()
            .orElseGet(() ->
                parts.engine().ledger().read(r -> r.attempts(run)).stream()
                    .mapToInt(Attempt::number)
                    .max()
                    .orElse(0));
    long most = call.query().tail().orElse(Long.MAX_VALUE);
    if (most < 0) {
      throw Problem.invalid("tail", "0 or more", "tail must be 0 or more").refused();
    }
    return workspaces.output(
        run, attempt, call.query().stream().orElse(Forms.Stream.OUT).fileName(), most);
  }

  private RunId seen(Asker asker, String text) {
    Run run = lookup.run(text);
    permits.require(asker, Act.See.of(run));
    return run.id();
  }

  private Run directed(Asker asker, String text, String how) {
    Run run = lookup.run(text);
    permits.require(asker, Act.Direct.of(run, how));
    return run;
  }

  private RunView view(Run run) {
    return parts.engine().ledger().read(reading -> view(reading, run));
  }

  private static RunView view(Reading reading, Run run) {
    return RunView.of(
        run,
        run.state() == RunState.QUEUED ? Optional.of(reading.placeInQueue(run)) : Optional.empty());
  }
}
