package dev.midcourse.engine.follow;

import dev.midcourse.core.id.RunId;
import dev.midcourse.core.watch.NoticePolicy;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;

/**
 * Schedules the progress notices of all live runs, at most one in each interval of a run. Runs are
 * sorted by the time of their next notice, so that waiting runs cost nothing.
 */
final class NoticeScheduler {
  private final Map<RunId, NoticePolicy> gates = new HashMap<>();
  private final PriorityQueue<DueCheck> looks =
      new PriorityQueue<>(Comparator.comparing(DueCheck::at));

  /** The runs that have an entry in the queue; each has at most one. */
  private final Set<RunId> awaited = new HashSet<>();

  private record DueCheck(Instant at, RunId run) {}

  /** A notice that is due. */
  record Due(RunId run, String summary) {}

  /** Takes the newest progress of a run. */
  void progressed(RunId run, String summary, Instant now) {
    NoticePolicy gate = gates.getOrDefault(run, NoticePolicy.withDefaults()).with(summary);
    gates.put(run, gate);
    if (gate.waiting().isPresent() && awaited.add(run)) {
      looks.add(new DueCheck(gate.lookAgainAt().orElse(now), run));
    }
  }

  void ended(RunId run) {
    gates.remove(run);
    if (awaited.remove(run)) {
      looks.removeIf(look -> look.run().equals(run));
    }
  }

  /** The next notice that is due, the same one until {@link #sent} is called with it. */
  Optional<Due> due(Instant now) {
    while (next().filter(at -> !at.isAfter(now)).isPresent()) {
      RunId run = looks.element().run();
      Optional<Due> due =
          Optional.ofNullable(gates.get(run))
              .flatMap(gate -> gate.due(now))
              .map(summary -> new Due(run, summary));
      if (due.isPresent()) {
        return due;
      }
      lookedAt();
    }
    return Optional.empty();
  }

  /** A notice that {@link #due} returned was sent. */
  void sent(Due due, Instant now) {
    gates.computeIfPresent(due.run(), (_, gate) -> gate.after(due.summary(), now));
    lookedAt();
  }

  /** Removes a waiting notice and returns it, whether it is due or not. */
  Optional<Due> removeNext() {
    while (!looks.isEmpty()) {
      RunId run = looks.element().run();
      Optional<String> summary = Optional.ofNullable(gates.get(run)).flatMap(NoticePolicy::waiting);
      ended(run);
      if (summary.isPresent()) {
        return Optional.of(new Due(run, summary.get()));
      }
    }
    return Optional.empty();
  }

  private void lookedAt() {
    awaited.remove(looks.remove().run());
  }

  /** When the next notice may be due. */
  Optional<Instant> next() {
    return Optional.ofNullable(looks.peek()).map(DueCheck::at);
  }
}
