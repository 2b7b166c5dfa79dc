package dev.midcourse.core.authority;

import dev.midcourse.core.id.GroupName;
import dev.midcourse.core.id.WorkerName;
import java.util.List;
import java.util.stream.Stream;

/**
 * An identity that can make requests.
 *
 * @param workers for a lead: the workers that it leads
 */
public record Group(GroupName name, Role role, List<NamePattern> workers) {
  public Group {
    workers = List.copyOf(workers);
  }

  /** Returns whether the group may dispatch runs to this worker and steer them. */
  public boolean directs(WorkerName worker) {
    return switch (role) {
      case MAIN -> true;
      case LEAD -> workers.stream().anyMatch(pattern -> pattern.matches(worker.value()));
      case MEMBER -> is(worker);
      case OBSERVER, WORKER -> false;
    };
  }

  /** Returns whether the group may see the runs of this worker. */
  public boolean sees(WorkerName worker) {
    return role == Role.OBSERVER || is(worker) || directs(worker);
  }

  /**
   * Returns the workers for which {@link #sees} is true, for a group that does not see everything.
   */
  List<NamePattern> seenWorkers() {
    Stream<NamePattern> itself = Stream.of(NamePattern.of(name.value()));
    return role == Role.LEAD ? Stream.concat(itself, workers.stream()).toList() : itself.toList();
  }

  private boolean is(WorkerName worker) {
    return worker.value().equals(name.value());
  }
}
