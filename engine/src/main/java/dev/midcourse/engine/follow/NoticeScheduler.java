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
 * The gates of all live runs. Only those are looked at whose time has come: thousands of runs that
 * have something waiting cost nothing in between.
 */
final class NoticeScheduler {
  private final Map<RunId, NoticePolicy> gates = new HashMap<>();
  private final PriorityQueue<Look> looks = new PriorityQueue<>(Comparator.comparing(Look::at));

  /** The runs that are looked at again, each once. */
  private final Set<RunId> awaited = new HashSet<>();

  private record Look(Instant at, RunId run) {}

  /** What is to be told of a run. */
  record Due(RunId run, String summary) {}

  /** The run does this now. */
  void progressed(RunId run, String summary, Instant now) {
    NoticePolicy gate = gates.getOrDefault(run, NoticePolicy.usual()).with(summary);
    gates.put(run, gate);
    if (gate.waiting().isPresent() && awaited.add(run)) {
      looks.add(new Look(gate.lookAgainAt().orElse(now), run));
    }
  }

  void ended(RunId run) {
    gates.remove(run);
    if (awaited.remove(run)) {
      looks.removeIf(look -> look.run().equals(run));
    }
  }

  /** What is to be told first, if something is; it stays so until it was told. */
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

  /** What {@link #due} gave was told. */
  void sent(Due due, Instant now) {
    gates.computeIfPresent(due.run(), (_, gate) -> gate.after(due.summary(), now));
    lookedAt();
  }

  private void lookedAt() {
    awaited.remove(looks.remove().run());
  }

  /** When something may be due next. */
  Optional<Instant> next() {
    return Optional.ofNullable(looks.peek()).map(Look::at);
  }
}
