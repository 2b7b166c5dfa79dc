package dev.midcourse.hub.mcp;

import static dev.midcourse.hub.mcp.McpTools.oneOf;
import static dev.midcourse.hub.mcp.McpTools.schema;
import static dev.midcourse.hub.mcp.McpTools.text;

import dev.midcourse.core.authority.Caller;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.json.ObjectReader;
import dev.midcourse.core.schedule.MissedTimePolicy;
import dev.midcourse.hub.schedule.ScheduleOperations;
import dev.midcourse.hub.schedule.ScheduleRequests.ScheduleChange;
import dev.midcourse.hub.schedule.ScheduleRequests.ScheduleRequest;
import dev.midcourse.hub.schedule.ScheduleViews.ScheduleView;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * The MCP tools for scheduled tasks: they translate arguments and results of {@link
 * ScheduleOperations}.
 */
final class ScheduleTools {
  private final ScheduleOperations operations;

  ScheduleTools(ScheduleOperations operations) {
    this.operations = operations;
  }

  private record Tasks(List<ScheduleView> tasks) {}

  List<McpTool> all() {
    return List.of(
        new McpTool(
            "schedule_task",
            "Schedule a prompt for yourself: at the times of a cron expression, or once at a local"
                + " time. The answer has the next times; check them.",
            schema(
                List.of("prompt"),
                "prompt",
                text("what is to be done at that time; it is read without this conversation"),
                "cron",
                text("5 fields (minute hour day month weekday), or @daily; Sunday is 0 or 7"),
                "at",
                text("a single time instead: 2026-11-20 09:00, local to the zone"),
                "zone",
                text("an IANA time zone such as Europe/Berlin; default: that of the hub"),
                "name",
                text("a name in lists"),
                "worker",
                text("whose task it is; without it yours"),
                "missed",
                oneOf(
                    MissedTimePolicy.class,
                    "times missed while the hub was down: one run for all, none, or all")),
            this::add),
        new McpTool(
            "list_tasks",
            "List scheduled tasks with their next times.",
            schema(List.of()),
            this::list),
        new McpTool(
            "update_task",
            "Change a scheduled task; what is left out stays. The next time follows from it.",
            schema(
                List.of("task_id"),
                "task_id",
                text("the task, or the beginning of its id"),
                "prompt",
                text("another prompt"),
                "cron",
                text("another cron expression"),
                "at",
                text("a single time instead"),
                "zone",
                text("another time zone"),
                "name",
                text("another name"),
                "missed",
                oneOf(MissedTimePolicy.class, "another policy for missed times")),
            this::update),
        byId("pause_task", "Pause a scheduled task until resume_task.", operations::pause),
        byId("resume_task", "Go on with a paused task at its next time.", operations::resume),
        byId("cancel_task", "End a scheduled task. A run of it goes on.", operations::cancel));
  }

  private McpTool byId(
      String name, String description, BiFunction<Caller, String, ScheduleView> work) {
    return new McpTool(
        name,
        description,
        schema(List.of("task_id"), "task_id", text("the task, or the beginning of its id")),
        (caller, inputs) -> {
          Optional<String> id = inputs.required("task_id");
          inputs.finish();
          return work.apply(caller, id.orElseThrow());
        });
  }

  private Object add(Caller caller, ObjectReader inputs) {
    Optional<String> prompt = inputs.required("prompt");
    Optional<String> cron = inputs.optional("cron");
    Optional<String> at = inputs.optional("at");
    Optional<String> zone = inputs.optional("zone");
    Optional<String> name = inputs.optional("name");
    Optional<WorkerName> worker = inputs.optional("worker", WorkerName::of);
    Optional<MissedTimePolicy> missed = inputs.optional("missed", MissedTimePolicy.class);
    inputs.finish();
    return operations.add(
        caller,
        new ScheduleRequest(
            prompt.orElseThrow(),
            cron,
            at,
            Optional.empty(),
            zone,
            worker,
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            name,
            missed,
            Optional.empty()));
  }

  private Object list(Caller caller, ObjectReader inputs) {
    inputs.finish();
    return new Tasks(operations.list(caller, false));
  }

  private Object update(Caller caller, ObjectReader inputs) {
    Optional<String> id = inputs.required("task_id");
    Optional<String> prompt = inputs.optional("prompt");
    Optional<String> cron = inputs.optional("cron");
    Optional<String> at = inputs.optional("at");
    Optional<String> zone = inputs.optional("zone");
    Optional<String> name = inputs.optional("name");
    Optional<MissedTimePolicy> missed = inputs.optional("missed", MissedTimePolicy.class);
    inputs.finish();
    return operations.update(
        caller,
        id.orElseThrow(),
        new ScheduleChange(
            prompt, cron, at, Optional.empty(), zone, name, missed, Optional.empty()));
  }
}
