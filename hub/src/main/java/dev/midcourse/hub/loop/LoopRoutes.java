package dev.midcourse.hub.loop;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.midcourse.core.Problem.Code;
import dev.midcourse.hub.http.route.ApiCall;
import dev.midcourse.hub.http.route.ApiResponse;
import dev.midcourse.hub.http.route.Route;
import dev.midcourse.hub.http.route.Route.Nothing;
import dev.midcourse.hub.loop.LoopRequests.DiffOf;
import dev.midcourse.hub.loop.LoopRequests.FindingRequest;
import dev.midcourse.hub.loop.LoopRequests.ForgeListing;
import dev.midcourse.hub.loop.LoopRequests.GoRequest;
import dev.midcourse.hub.loop.LoopRequests.GuidanceRequest;
import dev.midcourse.hub.loop.LoopRequests.LoopListing;
import dev.midcourse.hub.loop.LoopRequests.LoopRequest;
import dev.midcourse.hub.loop.LoopRequests.LoopWait;
import dev.midcourse.hub.loop.LoopRequests.PersonReview;
import dev.midcourse.hub.loop.LoopRequests.PlanRequest;
import dev.midcourse.hub.loop.LoopRequests.RewordRequest;
import dev.midcourse.hub.loop.LoopRequests.WithdrawRequest;
import dev.midcourse.hub.loop.LoopViews.Loops;
import dev.midcourse.hub.loop.QueueViews.Queues;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The HTTP routes of autopilot loops. */
public final class LoopRoutes {
  private static final String ONE = "/api/v1/loops/{loop}";
  private static final String THE_LOOP = "the loop";
  private static final String PATCH_HEADER = "Midcourse-Patch";

  private final LoopOperations operations;

  public LoopRoutes(LoopOperations operations) {
    this.operations = operations;
  }

  public List<Route<?, ?>> routes() {
    return List.of(
        Route.post("/api/v1/loops", "Start an autopilot loop: implement, check, fix, until clean.")
            .takes(LoopRequest.class, LoopExamples.REQUEST)
            .answers(201, THE_LOOP, LoopExamples.LOOP)
            .refuses(Code.LIMIT, Code.DUPLICATE, Code.UNSUPPORTED)
            .by(this::create),
        Route.get("/api/v1/loops", "List loops, newest first.")
            .with(LoopListing.class)
            .answers(200, "the loops", LoopExamples.LOOPS)
            .by(this::list),
        Route.get("/api/v1/merge-queues", "List the loops that wait to land, by branch.")
            .answers(200, "the merge queues", LoopExamples.QUEUES)
            .by(call -> ApiResponse.ok(new Queues(operations.queues(call.caller())))),
        Route.post(
                "/api/v1/loops/plan", "Find out what a loop would do at a forge; changes nothing.")
            .takes(PlanRequest.class, LoopExamples.PLAN_REQUEST)
            .answers(200, "what the loop would do", LoopExamples.PLAN)
            .refuses(Code.NOT_FOUND, Code.UNSUPPORTED)
            .by(this::plan),
        Route.get("/api/v1/forges", "List the forges of the settings, and whether they answer.")
            .with(ForgeListing.class)
            .answers(200, "the forges", LoopExamples.FORGES)
            .by(this::forges),
        Route.get(ONE, "Look at a loop and its news; waits for news if asked to.")
            .with(LoopWait.class)
            .answers(200, "the loop and its news", LoopExamples.DETAILS)
            .by(this::show),
        Route.get(ONE + "/diff", "What a loop, or one call of it, has changed.")
            .with(DiffOf.class)
            .answers(
                200,
                "a patch; the header "
                    + PATCH_HEADER
                    + " is whole, partial where its last lines say what it lacks, or none;"
                    + " Midcourse-From and Midcourse-Head name the commits",
                "text/plain",
                "diff --git a/App.java b/App.java\n")
            .refuses(Code.UNAVAILABLE)
            .by(this::diff),
        Route.post(ONE + "/steers", "Steer a loop: now, or for its next calls.")
            .takes(GuidanceRequest.class, LoopExamples.STEER)
            .answers(201, THE_LOOP, LoopExamples.LOOP)
            .refuses(Code.RUN_ENDED, Code.LIMIT, Code.TOO_LARGE, Code.KEY_CONFLICT)
            .by(this::steer),
        Route.post(ONE + "/steers/{steer}/withdraw", "Take a steer of a loop back that waits.")
            .takes(WithdrawRequest.class, LoopExamples.WITHDRAW)
            .answers(200, THE_LOOP, LoopExamples.LOOP)
            .refuses(Code.TOO_LATE)
            .by(this::withdraw),
        Route.post(ONE + "/restart", "Give the task another wording; a wait goes on.")
            .takes(RewordRequest.class, LoopExamples.REWORD)
            .answers(200, THE_LOOP, LoopExamples.LOOP)
            .by(this::reword),
        Route.post(ONE + "/go", "Go on with a parked loop.")
            .takes(GoRequest.class, LoopExamples.GO)
            .answers(200, THE_LOOP, LoopExamples.LOOP)
            .refuses(Code.RUN_ENDED)
            .by(this::go),
        Route.post(ONE + "/skip", "End the wait for a review or CI; the result says so.")
            .answers(200, THE_LOOP, LoopExamples.LOOP)
            .by(call -> ApiResponse.ok(operations.skip(call.caller(), id(call)))),
        Route.post(ONE + "/pause", "End the runs of the loop, and wait for a person.")
            .answers(200, THE_LOOP, LoopExamples.LOOP)
            .refuses(Code.RUN_ENDED)
            .by(call -> ApiResponse.ok(operations.pause(call.caller(), id(call)))),
        Route.post(ONE + "/stop", "End the loop and its runs; its branch stays.")
            .answers(200, THE_LOOP, LoopExamples.LOOP)
            .refuses(Code.RUN_ENDED)
            .by(call -> ApiResponse.ok(operations.stop(call.caller(), id(call)))),
        Route.post(ONE + "/land", "Merge the branch into its base when it is clean.")
            .answers(200, THE_LOOP, LoopExamples.LOOP)
            .refuses(Code.RUN_ENDED)
            .by(call -> ApiResponse.ok(operations.land(call.caller(), id(call)))),
        Route.post(ONE + "/review", "Review the commit that waits, as a person.")
            .takes(PersonReview.class, LoopExamples.REVIEW)
            .answers(200, THE_LOOP, LoopExamples.LOOP)
            .by(this::review),
        Route.post(ONE + "/findings/{finding}", "Drop a finding, uphold it, or make it a nit.")
            .takes(FindingRequest.class, LoopExamples.FINDING)
            .answers(200, THE_LOOP, LoopExamples.LOOP)
            .refuses(Code.TOO_LATE)
            .by(this::decide));
  }

  private static String id(ApiCall<?, ?> call) {
    return call.path("loop");
  }

  private ApiResponse plan(ApiCall<PlanRequest, Nothing> call) throws InterruptedException {
    return ApiResponse.ok(operations.plan(call.caller(), call.body()));
  }

  private ApiResponse forges(ApiCall<Nothing, ForgeListing> call) throws InterruptedException {
    return ApiResponse.ok(operations.forges(call.caller(), call.query().repo()));
  }

  private ApiResponse create(ApiCall<LoopRequest, Nothing> call) throws InterruptedException {
    return ApiResponse.created(operations.create(call.caller(), call.body()));
  }

  private ApiResponse list(ApiCall<Nothing, LoopListing> call) {
    return ApiResponse.ok(
        new Loops(operations.list(call.caller(), call.query().all().orElse(false))));
  }

  private ApiResponse show(ApiCall<Nothing, LoopWait> call) throws InterruptedException {
    return ApiResponse.ok(
        operations.show(call.caller(), id(call), call.query().after(), call.query().timeout()));
  }

  private ApiResponse diff(ApiCall<Nothing, DiffOf> call) {
    Optional<LoopChanges> changes =
        operations.changes(call.caller(), id(call), call.query().call());
    Map<String, String> headers = new HashMap<>();
    headers.put(
        PATCH_HEADER, changes.map(it -> it.patch().whole() ? "whole" : "partial").orElse("none"));
    changes.ifPresent(it -> {
      headers.put("Midcourse-From", it.commits().from());
      headers.put("Midcourse-Head", it.commits().to());
    });
    return new ApiResponse.Bytes(
        200,
        "text/plain; charset=utf-8",
        changes.map(it -> it.patch().text()).orElse("").getBytes(UTF_8),
        headers);
  }

  private ApiResponse steer(ApiCall<GuidanceRequest, Nothing> call) {
    return ApiResponse.created(operations.steer(call.caller(), id(call), call.body()));
  }

  private ApiResponse withdraw(ApiCall<WithdrawRequest, Nothing> call) {
    return ApiResponse.ok(
        operations.withdraw(call.caller(), id(call), call.path("steer"), call.body().reason()));
  }

  private ApiResponse reword(ApiCall<RewordRequest, Nothing> call) {
    return ApiResponse.ok(operations.reword(call.caller(), id(call), call.body()));
  }

  private ApiResponse go(ApiCall<GoRequest, Nothing> call) {
    return ApiResponse.ok(operations.go(call.caller(), id(call), call.body()));
  }

  private ApiResponse review(ApiCall<PersonReview, Nothing> call) {
    return ApiResponse.ok(operations.review(call.caller(), id(call), call.body()));
  }

  private ApiResponse decide(ApiCall<FindingRequest, Nothing> call) {
    return ApiResponse.ok(
        operations.decide(call.caller(), id(call), call.path("finding"), call.body()));
  }
}
