package dev.midcourse.hub.schedule;

import dev.midcourse.core.Problem.Code;
import dev.midcourse.hub.http.route.ApiCall;
import dev.midcourse.hub.http.route.ApiResponse;
import dev.midcourse.hub.http.route.Route;
import dev.midcourse.hub.http.route.Route.Nothing;
import dev.midcourse.hub.schedule.ScheduleRequests.ScheduleChange;
import dev.midcourse.hub.schedule.ScheduleRequests.ScheduleListing;
import dev.midcourse.hub.schedule.ScheduleRequests.ScheduleRequest;
import dev.midcourse.hub.schedule.ScheduleViews.Schedules;
import java.util.List;

/** The HTTP routes of schedules. */
public final class ScheduleRoutes {
  private final ScheduleOperations operations;

  public ScheduleRoutes(ScheduleOperations operations) {
    this.operations = operations;
  }

  public List<Route<?, ?>> routes() {
    return List.of(
        Route.post("/api/v1/schedules", "Add a schedule: a prompt that is given at due times.")
            .takes(ScheduleRequest.class, ScheduleExamples.REQUEST)
            .answers(201, "the schedule, with its next times", ScheduleExamples.SCHEDULE)
            .refuses(Code.LIMIT, Code.UNSUPPORTED)
            .by(this::add),
        Route.get("/api/v1/schedules", "List schedules, the next one first.")
            .with(ScheduleListing.class)
            .answers(200, "the schedules", ScheduleExamples.SCHEDULES)
            .by(this::list),
        Route.get("/api/v1/schedules/{schedule}", "Look at a schedule and its last due times.")
            .answers(200, "the schedule", ScheduleExamples.DETAILS)
            .by(this::show),
        Route.patch("/api/v1/schedules/{schedule}", "Change a schedule; its next time follows.")
            .takes(ScheduleChange.class, ScheduleExamples.CHANGE)
            .answers(200, "the schedule", ScheduleExamples.SCHEDULE)
            .refuses(Code.TOO_LATE)
            .by(this::update),
        Route.post("/api/v1/schedules/{schedule}/pause", "Start nothing until it is resumed.")
            .answers(200, "the schedule", ScheduleExamples.SCHEDULE)
            .refuses(Code.TOO_LATE)
            .by(call -> ApiResponse.ok(operations.pause(call.caller(), id(call)))),
        Route.post("/api/v1/schedules/{schedule}/resume", "Go on with the next time from now.")
            .answers(200, "the schedule", ScheduleExamples.SCHEDULE)
            .refuses(Code.TOO_LATE)
            .by(call -> ApiResponse.ok(operations.resume(call.caller(), id(call)))),
        Route.post("/api/v1/schedules/{schedule}/cancel", "End the schedule; its runs go on.")
            .answers(200, "the schedule", ScheduleExamples.SCHEDULE)
            .refuses(Code.TOO_LATE)
            .by(call -> ApiResponse.ok(operations.cancel(call.caller(), id(call)))),
        Route.post("/api/v1/schedules/{schedule}/run", "Give the prompt now, too.")
            .answers(201, "the schedule, with the run", ScheduleExamples.DETAILS)
            .refuses(Code.TOO_LATE, Code.UNSUPPORTED)
            .by(call -> ApiResponse.created(operations.runNow(call.caller(), id(call)))));
  }

  private static String id(ApiCall<?, ?> call) {
    return call.path("schedule");
  }

  private ApiResponse add(ApiCall<ScheduleRequest, Nothing> call) {
    return ApiResponse.created(operations.add(call.caller(), call.body()));
  }

  private ApiResponse list(ApiCall<Nothing, ScheduleListing> call) {
    boolean all = call.query().all().orElse(false);
    return ApiResponse.ok(new Schedules(operations.list(call.caller(), all)));
  }

  private ApiResponse show(ApiCall<Nothing, Nothing> call) {
    return ApiResponse.ok(operations.show(call.caller(), id(call)));
  }

  private ApiResponse update(ApiCall<ScheduleChange, Nothing> call) {
    return ApiResponse.ok(operations.update(call.caller(), id(call), call.body()));
  }
}
