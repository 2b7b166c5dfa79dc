package dev.midcourse.hub.api;

import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.run.Attempt;
import dev.midcourse.core.run.RunState;
import dev.midcourse.hub.api.Forms.Lines;
import dev.midcourse.hub.api.Forms.Listing;
import dev.midcourse.hub.api.Forms.Restart;
import dev.midcourse.hub.api.Forms.Review;
import dev.midcourse.hub.api.Forms.RunWish;
import dev.midcourse.hub.api.Forms.Stop;
import dev.midcourse.hub.api.Forms.WaitForEnd;
import dev.midcourse.hub.http.Answer;
import dev.midcourse.hub.http.Call;
import dev.midcourse.hub.http.Route;
import dev.midcourse.hub.http.Route.Nothing;
import dev.midcourse.ledger.RunQuery;
import dev.midcourse.ledger.json.Json;
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
  private static final int USUAL_PAGE = 50;
  private static final int LARGEST_PAGE = 500;

  private final HubOperations operations;
  private final Workspaces workspaces;

  RunRoutes(HubOperations operations, Workspaces workspaces) {
    this.operations = operations;
    this.workspaces = workspaces;
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
    HubOperations.Started started = operations.start(call.asker(), call.body());
    ObjectNode answer = Json.mapper().valueToTree(started.run());
    started.note().ifPresent(note -> answer.put("note", note));
    return Answer.created(answer);
  }

  private Answer list(Call<Nothing, Listing> call) {
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
            limit);
    return Answer.ok(operations.list(call.asker(), query));
  }

  private static Set<RunState> states(String text) {
    return Arrays.stream(text.split(",", -1)).map(RunState::parse).collect(Collectors.toSet());
  }

  private Answer show(Call<Nothing, WaitForEnd> call) throws InterruptedException {
    Optional<Duration> untilEnd = call.query().until().map(_ -> call.query().patience());
    return Answer.ok(operations.show(call.asker(), call.path("run"), untilEnd));
  }

  private Answer stop(Call<Stop, Nothing> call) throws InterruptedException {
    RunView asked = operations.stop(call.asker(), call.path("run"));
    if (!call.body().waits().orElse(false)) {
      return Answer.of(202, asked);
    }
    RunView stopped =
        operations.show(call.asker(), asked.runId().value(), Optional.of(Forms.USUAL_PATIENCE));
    return Answer.of(stopped.state().live() ? 202 : 200, stopped);
  }

  private Answer restart(Call<Restart, Nothing> call) {
    return Answer.created(operations.restart(call.asker(), call.path("run"), call.body()));
  }

  private Answer review(Call<Review, Nothing> call) {
    RunView run = operations.review(call.asker(), call.path("run"), call.body());
    return switch (call.body().verdict()) {
      case ACCEPT -> Answer.ok(run);
      case REWORK -> Answer.created(run);
    };
  }

  private Answer turns(Call<Nothing, Nothing> call) {
    return Answer.ok(
        new Views.Turns(
            operations.turns(call.asker(), call.path("run")).stream()
                .map(Views.Turn::of)
                .toList()));
  }

  private Answer attempts(Call<Nothing, Nothing> call) {
    return Answer.ok(
        new Views.Attempts(
            operations.attempts(call.asker(), call.path("run")).stream()
                .map(Views.OneAttempt::of)
                .toList()));
  }

  private Answer log(Call<Nothing, Lines> call) {
    RunId run = operations.visible(call.asker(), call.path("run")).id();
    int attempt =
        call.query()
            .attempt()
            .orElseGet(() ->
                operations.attempts(call.asker(), run.value()).stream()
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
}
