package dev.midcourse.engine.queue;

import dev.midcourse.core.id.AgentName;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.run.Run;
import dev.midcourse.engine.context.EngineSettings;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/**
 * Counts the runs that have a place, and compares them with the limits of the settings. The limits
 * of workers and agents count the runs of all hosts, the limit of the host only its own.
 */
final class RunCapacity {
  private final EngineSettings settings;
  private final Map<WorkerName, Integer> byWorker = new HashMap<>();
  private final Map<AgentName, Integer> byAgent = new HashMap<>();
  private int total;

  RunCapacity(EngineSettings settings) {
    this.settings = settings;
  }

  void add(Run run) {
    count(run, 1);
  }

  void remove(Run run) {
    count(run, -1);
  }

  private void count(Run run, int change) {
    byWorker.merge(run.spec().worker(), change, Integer::sum);
    byAgent.merge(run.spec().agent(), change, Integer::sum);
    if (!isElsewhere(run)) {
      total += change;
    }
  }

  private boolean isElsewhere(Run run) {
    return run.lease().filter(lease -> !lease.host().equals(settings.host())).isPresent();
  }

  boolean hasRoomOnHost() {
    return total < settings.maxRunning();
  }

  boolean hasRoomOfWorker(WorkerName worker) {
    return byWorker.getOrDefault(worker, 0) < settings.atOnce(worker);
  }

  boolean hasRoomOfAgent(AgentName agent) {
    return byAgent.getOrDefault(agent, 0) < maxOfAgent(agent);
  }

  int maxOfAgent(AgentName agent) {
    return settings.bounds(agent).atOnce().orElse(Integer.MAX_VALUE);
  }

  boolean hasRoom(Run run) {
    return hasRoomOnHost()
        && hasRoomOfWorker(run.spec().worker())
        && hasRoomOfAgent(run.spec().agent());
  }

  /**
   * The idle runs that must end so that the queued run has room; empty if their ends would not
   * suffice.
   *
   * @param idle the idle runs; the first ones are taken first
   */
  Optional<List<Run>> displacedFor(Run queued, List<Run> idle) {
    WorkerName worker = queued.spec().worker();
    AgentName agent = queued.spec().agent();
    List<Run> left = new ArrayList<>(idle);
    List<Run> taken = new ArrayList<>();
    try {
      take(left, taken, run -> run.spec().worker().equals(worker), () -> hasRoomOfWorker(worker));
      take(left, taken, run -> run.spec().agent().equals(agent), () -> hasRoomOfAgent(agent));
      take(left, taken, run -> !isElsewhere(run), this::hasRoomOnHost);
      return hasRoom(queued) ? Optional.of(List.copyOf(taken)) : Optional.empty();
    } finally {
      taken.forEach(this::add);
    }
  }

  /** Takes idle runs out of the count until there is room, or none of them is left. */
  private void take(
      List<Run> left, List<Run> taken, Predicate<Run> frees, BooleanSupplier hasRoom) {
    while (!hasRoom.getAsBoolean()) {
      Optional<Run> next = left.stream().filter(frees).findFirst();
      if (next.isEmpty()) {
        return;
      }
      left.remove(next.get());
      taken.add(next.get());
      remove(next.get());
    }
  }
}
