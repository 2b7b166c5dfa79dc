package dev.midcourse.hub.settings;

import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.authority.Groups;
import dev.midcourse.core.authority.NamePattern;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.run.Limits;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The workers and groups that the settings declare. Only declared workers take dispatches. */
public record WorkerRegistry(List<WorkerConfig> workers, Groups groups) {
  public static final WorkerRegistry NOBODY = new WorkerRegistry(List.of(), Groups.of(List.of()));

  public WorkerRegistry {
    workers = List.copyOf(workers);
  }

  /** The plan of a worker: its own, or the first pattern that it fits. */
  public Optional<WorkerConfig> plan(WorkerName worker) {
    return workers.stream()
        .filter(plan -> plan.name().text().equals(worker.value()))
        .findFirst()
        .or(() -> workers.stream().filter(plan -> plan.name().matches(worker.value())).findFirst());
  }

  /** The configuration of a worker; refuses an undeclared one and lists the declared. */
  public WorkerConfig declared(WorkerName worker) {
    return plan(worker)
        .orElseThrow(() ->
            Problem.of(
                    Code.NOT_FOUND,
                    "worker",
                    "one that midcourse.toml declares: " + names(),
                    "no worker " + worker + " is declared")
                .refused());
  }

  private String names() {
    return workers.isEmpty()
        ? "none"
        : workers.stream().map(plan -> plan.name().text()).collect(Collectors.joining(", "));
  }

  /** The limits of the runs of each worker. */
  public Map<NamePattern, Limits> limits() {
    Map<NamePattern, Limits> limits = new LinkedHashMap<>();
    workers.forEach(plan -> limits.put(plan.name(), plan.limits()));
    return limits;
  }

  /** How many runs each takes at once. */
  public Map<NamePattern, Integer> atOnce() {
    Map<NamePattern, Integer> atOnce = new LinkedHashMap<>();
    workers.forEach(plan -> atOnce.put(plan.name(), plan.atOnce()));
    return atOnce;
  }
}
