package dev.midcourse.autopilot.forge.gitlab;

import dev.midcourse.core.json.JsonValue.Obj;
import dev.midcourse.core.loop.forge.RemoteCheck;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The statuses of a commit: the jobs of its pipelines, and what other programs have reported. Of
 * several pipelines on one branch only the newest one counts.
 *
 * @param statuses the newest status of each name
 * @param pipelines the pipelines of the merge request
 */
record GitLabChecks(String head, List<Obj> statuses, List<Obj> pipelines) {

  List<RemoteCheck> all() {
    Map<String, Long> newest = newestPipelines();
    List<RemoteCheck> checks = new ArrayList<>();
    Set<Long> withStatus = new HashSet<>();
    for (Obj status : statuses) {
      long pipeline = status.number("pipeline_id").orElse(0L);
      withStatus.add(pipeline);
      if (newest.getOrDefault(status.string("ref").orElse(""), pipeline) <= pipeline) {
        checks.add(check(status));
      }
    }
    for (Obj pipeline : ofHead()) {
      boolean hasStatus = withStatus.contains(pipeline.number("id").orElse(0L));
      long best = newest.getOrDefault(pipeline.string("ref").orElse(""), 0L);
      if (!hasStatus && best <= pipeline.number("id").orElse(0L)) {
        checks.add(
            new RemoteCheck(
                "",
                "pipeline",
                state(pipeline.string("status").orElse(""), false),
                "the pipeline has no jobs",
                pipeline.string("web_url").orElse(""),
                List.of()));
      }
    }
    return checks;
  }

  List<Obj> ofHead() {
    return pipelines.stream().filter(it -> it.string("sha").orElse("").equals(head)).toList();
  }

  private Map<String, Long> newestPipelines() {
    Map<String, Long> newest = new HashMap<>();
    for (Obj status : statuses) {
      newest.merge(
          status.string("ref").orElse(""), status.number("pipeline_id").orElse(0L), Math::max);
    }
    for (Obj pipeline : ofHead()) {
      newest.merge(pipeline.string("ref").orElse(""), pipeline.number("id").orElse(0L), Math::max);
    }
    return newest;
  }

  private static RemoteCheck check(Obj status) {
    return new RemoteCheck(
        status.text("id").orElse(""),
        status.string("name").orElse(""),
        state(status.string("status").orElse(""), status.is("allow_failure")),
        status.string("description").orElse(""),
        status.string("target_url").orElse(""),
        List.of());
  }

  /**
   * @param allowed whether the pipeline is green also if this fails
   */
  private static RemoteCheck.State state(String status, boolean allowed) {
    return switch (status) {
      case "created", "pending", "preparing", "waiting_for_resource", "scheduled" ->
          RemoteCheck.State.WAITING;
      case "running" -> RemoteCheck.State.RUNNING;
      case "success" -> RemoteCheck.State.SUCCESS;
      case "failed" -> allowed ? RemoteCheck.State.NEUTRAL : RemoteCheck.State.FAILURE;
      case "canceled", "canceling" ->
          allowed ? RemoteCheck.State.NEUTRAL : RemoteCheck.State.CANCELLED;
      case "skipped" -> RemoteCheck.State.SKIPPED;
      case "manual" -> allowed ? RemoteCheck.State.SKIPPED : RemoteCheck.State.ACTION_REQUIRED;
      default -> RemoteCheck.State.UNKNOWN;
    };
  }
}
