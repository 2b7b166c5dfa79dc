package dev.midcourse.hub.settings.worker;

import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.Suggestion;
import dev.midcourse.core.authority.Groups;
import dev.midcourse.core.authority.NamePattern;
import dev.midcourse.core.contract.DispatchRules;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.run.Limits;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The workers and groups that the settings declare. Only declared workers take dispatches. */
public record WorkerRegistry(List<WorkerConfig> workers, Groups groups) {
  public static final WorkerRegistry EMPTY = new WorkerRegistry(List.of(), Groups.of(List.of()));

  public WorkerRegistry {
    workers = List.copyOf(workers);
  }

  /** Returns the configuration of a worker: its own, or that of the first matching pattern. */
  public Optional<WorkerConfig> plan(WorkerName worker) {
    return workers.stream()
        .filter(plan -> plan.name().text().equals(worker.value()))
        .findFirst()
        .or(() -> workers.stream().filter(plan -> plan.name().matches(worker.value())).findFirst());
  }

  /** Returns the configuration of a worker. Refuses an undeclared one and lists the declared. */
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

  /** Returns the rules that all workers have, for a dispatch to any worker. */
  public DispatchRules commonRules() {
    List<DispatchRules> all = workers.stream().map(WorkerConfig::rules).distinct().toList();
    return all.size() == 1 ? all.getFirst() : DispatchRules.NONE;
  }

  /**
   * Refuses a name that is no declared worker and looks like a mistyped one. Otherwise the run
   * would start beside the worker that was meant.
   */
  public void refuseMistyped(WorkerName worker) {
    List<String> declared =
        workers.stream()
            .map(WorkerConfig::name)
            .filter(it -> !it.many())
            .map(NamePattern::text)
            .toList();
    if (plan(worker).isPresent()) {
      return;
    }
    Suggestion.to(worker.value(), declared)
        .ifPresent(meant -> {
          throw Problem.of(
                  Code.INVALID,
                  "worker",
                  "one that midcourse.toml declares, or another name",
                  "no worker "
                      + worker
                      + " is declared; did you mean "
                      + meant
                      + "? To use this name, declare it in midcourse.toml")
              .refused();
        });
  }

  private String names() {
    return workers.isEmpty()
        ? "none"
        : workers.stream().map(plan -> plan.name().text()).collect(Collectors.joining(", "));
  }

  /** Returns the limits of the runs of each worker. */
  public Map<NamePattern, Limits> limits() {
    Map<NamePattern, Limits> limits = new LinkedHashMap<>();
    workers.forEach(plan -> limits.put(plan.name(), plan.limits()));
    return limits;
  }

  /** Returns the maximum of runs at once of each worker. */
  public Map<NamePattern, Integer> atOnce() {
    Map<NamePattern, Integer> atOnce = new LinkedHashMap<>();
    workers.forEach(plan -> atOnce.put(plan.name(), plan.atOnce()));
    return atOnce;
  }
}
