package dev.midcourse.core.authority;

import dev.midcourse.core.id.GroupName;
import dev.midcourse.core.id.WorkerName;
import java.util.List;
import java.util.stream.Stream;

/**
 * An identity that may ask for things.
 *
 * @param workers for a lead: whom it leads
 */
public record Group(GroupName name, Role role, List<NamePattern> workers) {
  public Group {
    workers = List.copyOf(workers);
  }

  /** Whether it may give this worker work and steer it. */
  public boolean directs(WorkerName worker) {
    return switch (role) {
      case MAIN -> true;
      case LEAD -> workers.stream().anyMatch(pattern -> pattern.matches(worker.value()));
      case MEMBER -> is(worker);
      case OBSERVER, WORKER -> false;
    };
  }

  /** Whether it may look at what this worker does. */
  public boolean sees(WorkerName worker) {
    return role == Role.OBSERVER || is(worker) || directs(worker);
  }

  /** Where it does not see everything: whom {@link #sees} is true of. */
  List<NamePattern> seenWorkers() {
    Stream<NamePattern> itself = Stream.of(NamePattern.of(name.value()));
    return role == Role.LEAD ? Stream.concat(itself, workers.stream()).toList() : itself.toList();
  }

  private boolean is(WorkerName worker) {
    return worker.value().equals(name.value());
  }
}
