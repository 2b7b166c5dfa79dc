package dev.midcourse.hub.api;

import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.run.Attempt;
import dev.midcourse.core.run.RunState;
import dev.midcourse.hub.api.json.Examples;
import dev.midcourse.hub.api.json.Requests;
import dev.midcourse.hub.api.json.Requests.OutputQuery;
import dev.midcourse.hub.api.json.Requests.Restart;
import dev.midcourse.hub.api.json.Requests.Review;
import dev.midcourse.hub.api.json.Requests.RunListQuery;
import dev.midcourse.hub.api.json.Requests.RunRequest;
import dev.midcourse.hub.api.json.Requests.Stop;
import dev.midcourse.hub.api.json.Requests.WaitForEnd;
import dev.midcourse.hub.api.json.Views;
import dev.midcourse.hub.api.operation.DispatchOperations;
import dev.midcourse.hub.api.operation.RunOperations;
import dev.midcourse.hub.api.operation.Workspaces;
import dev.midcourse.hub.http.route.ApiCall;
import dev.midcourse.hub.http.route.ApiResponse;
import dev.midcourse.hub.http.route.Route;
import dev.midcourse.hub.http.route.Route.Nothing;
import dev.midcourse.ledger.RunQuery;
import dev.midcourse.ledger.json.JsonCodec;
import dev.midcourse.ledger.json.RunView;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ObjectNode;

/** The HTTP routes of runs: start, list, show, stop, restart, review, and their output. */
final class RunRoutes {
  private static final int DEFAULT_PAGE = 50;
  private static final int MAX_PAGE = 500;

  private final RunOperations runs;
  private final DispatchOperations dispatches;
  private final Workspaces workspaces;

  RunRoutes(RunOperations runs, DispatchOperations dispatches, Workspaces workspaces) {
    this.runs = runs;
    this.dispatches = dispatches;
    this.workspaces = workspaces;
  }

  List<Route<?, ?>> routes() {
    return List.of(
        Route.post("/api/v1/runs", "Start a run: it is queued, and begins when its worker is free.")
            .takes(RunRequest.class, Examples.RUN_REQUEST)
            .answers(201, "the run", Examples.RUN)
            .refuses(Code.DUPLICATE, Code.UNSUPPORTED)
            .by(this::create),
        Route.get("/api/v1/runs", "List runs, newest first.")
            .with(RunListQuery.class)
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
        Route.post("/api/v1/runs/{run}/dismiss", "Dismiss the alarm: no activity, or a failure.")
            .answers(200, "the run, which needs no attention for that reason", Examples.RUN)
            .by(this::dismiss),
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
        Route.post("/api/v1/runs/{run}/repair", "Put tampered git files of its checkout aside.")
            .answers(200, "what was put aside, and why", Examples.REPAIRED)
            .by(this::repair),
        Route.get("/api/v1/runs/{run}/turns", "The turns of a run.")
            .answers(200, "its turns in order", Examples.TURNS)
            .by(this::turns),
        Route.get("/api/v1/runs/{run}/attempts", "The attempts at a run.")
            .answers(200, "its attempts in order", Examples.ATTEMPTS)
            .by(this::attempts),
        Route.get("/api/v1/runs/{run}/log", "What the agent wrote, as it wrote it.")
            .with(OutputQuery.class)
            .answers(200, "raw output", "text/plain", "{\"type\":\"started\"}\n")
            .by(this::log));
  }

  private ApiResponse repair(ApiCall<Nothing, Nothing> call) {
    return ApiResponse.ok(dispatches.repair(call.caller(), call.path("run")));
  }

  private ApiResponse create(ApiCall<RunRequest, Nothing> call) {
    RunOperations.Started started = runs.start(call.caller(), call.body());
    ObjectNode answer = JsonCodec.mapper().valueToTree(started.run());
    started.note().ifPresent(note -> answer.put("note", note));
    return ApiResponse.created(answer);
  }

  private ApiResponse list(ApiCall<Nothing, RunListQuery> call) {
    RunListQuery wanted = call.query();
    int limit = wanted.limit().orElse(DEFAULT_PAGE);
    if (limit < 1 || limit > MAX_PAGE) {
      throw Problem.invalid("limit", "1 to " + MAX_PAGE, "limit must be 1 to " + MAX_PAGE)
          .refused();
    }
    RunQuery query =
        new RunQuery(
            wanted.state().map(RunRoutes::states).orElse(Set.of()),
            wanted.worker(),
            wanted.olderThan(),
            limit);
    return ApiResponse.ok(
        wanted.needs().orElse(false)
            ? runs.listNeeding(call.caller(), query)
            : runs.list(call.caller(), query));
  }

  private static Set<RunState> states(String text) {
    return Arrays.stream(text.split(",", -1)).map(RunState::parse).collect(Collectors.toSet());
  }

  private ApiResponse show(ApiCall<Nothing, WaitForEnd> call) throws InterruptedException {
    Optional<Duration> untilEnd = call.query().until().map(_ -> call.query().maxWait());
    return ApiResponse.ok(runs.show(call.caller(), call.path("run"), untilEnd));
  }

  private ApiResponse dismiss(ApiCall<Nothing, Nothing> call) {
    return ApiResponse.ok(runs.dismiss(call.caller(), call.path("run")));
  }

  private ApiResponse stop(ApiCall<Stop, Nothing> call) throws InterruptedException {
    RunView asked = runs.stop(call.caller(), call.path("run"));
    if (!call.body().waits().orElse(false)) {
      return ApiResponse.of(202, asked);
    }
    RunView stopped =
        runs.show(call.caller(), asked.runId().value(), Optional.of(Requests.DEFAULT_TIMEOUT));
    return ApiResponse.of(stopped.state().live() ? 202 : 200, stopped);
  }

  private ApiResponse restart(ApiCall<Restart, Nothing> call) {
    return ApiResponse.created(runs.restart(call.caller(), call.path("run"), call.body()));
  }

  private ApiResponse review(ApiCall<Review, Nothing> call) {
    RunView run = dispatches.review(call.caller(), call.path("run"), call.body());
    return switch (call.body().verdict()) {
      case ACCEPT -> ApiResponse.ok(run);
      case REWORK -> ApiResponse.created(run);
    };
  }

  private ApiResponse turns(ApiCall<Nothing, Nothing> call) {
    return ApiResponse.ok(
        new Views.Turns(
            runs.turns(call.caller(), call.path("run")).stream().map(Views.Turn::of).toList()));
  }

  private ApiResponse attempts(ApiCall<Nothing, Nothing> call) {
    return ApiResponse.ok(
        new Views.Attempts(
            runs.attempts(call.caller(), call.path("run")).stream()
                .map(Views.OneAttempt::of)
                .toList()));
  }

  private ApiResponse log(ApiCall<Nothing, OutputQuery> call) {
    RunId run = runs.visible(call.caller(), call.path("run")).id();
    int attempt =
        call.query()
            .attempt()
            .orElseGet(() ->
                runs.attempts(call.caller(), run.value()).stream()
                    .mapToInt(Attempt::number)
                    .max()
                    .orElse(0));
    long max = call.query().tail().orElse(Long.MAX_VALUE);
    if (max < 0) {
      throw Problem.invalid("tail", "0 or more", "tail must be 0 or more").refused();
    }
    return workspaces.output(
        run, attempt, call.query().stream().orElse(Requests.Stream.OUT).fileName(), max);
  }
}
