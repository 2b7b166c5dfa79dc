package dev.midcourse.engine;

import dev.midcourse.core.event.RunEvent;
import dev.midcourse.core.id.Ids;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.run.Attempt;
import dev.midcourse.core.run.Lease;
import dev.midcourse.core.run.Outcome;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.RunChange;
import dev.midcourse.core.run.RunLife;
import dev.midcourse.core.run.RunState;
import dev.midcourse.ledger.Ledger;
import dev.midcourse.ledger.Tx;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Which queued run comes next, and taking it: oldest first, each worker as many at once as it
 * takes, the host as many as it may. Taking a run and naming its attempt is one transaction, so no
 * two hosts take the same.
 */
record Picking(Ledger ledger, EngineSettings settings, InstantSource clock, Ids ids) {
  private static final int MARK_LENGTH = 24;

  /** What the queue says now: runs that may begin, and when to look again for the others. */
  record Queue(List<RunId> ready, Optional<Instant> lookAgainAt) {}

  Queue look() {
    Instant now = clock.instant();
    List<Run> live = ledger.read(reading -> reading.liveRuns());
    Map<WorkerName, Integer> busy = new HashMap<>();
    int running = 0;
    for (Run run : live) {
      if (run.state() == RunState.RUNNING) {
        busy.merge(run.spec().worker(), 1, Integer::sum);
        running++;
      }
    }
    List<RunId> ready = new ArrayList<>();
    Optional<Instant> next = Optional.empty();
    for (Run run : live) {
      if (run.state() != RunState.QUEUED) {
        continue;
      }
      WorkerName worker = run.spec().worker();
      boolean free =
          running < settings.mostRunning()
              && busy.getOrDefault(worker, 0) < settings.atOnce(worker);
      Optional<Instant> pause = run.notBefore().filter(now::isBefore);
      if (pause.isPresent()) {
        next = next.isEmpty() || pause.get().isBefore(next.get()) ? pause : next;
      } else if (free) {
        ready.add(run.id());
        busy.merge(worker, 1, Integer::sum);
        running++;
      }
    }
    return new Queue(List.copyOf(ready), next);
  }

  /** Takes the run for its next attempt, if it is still to be had. */
  Optional<Run> pick(RunId id) {
    Instant now = clock.instant();
    Lease lease = new Lease(settings.host(), now.plus(settings.lease()));
    String mark = ids.token(MARK_LENGTH);
    return ledger.write(tx -> {
      Optional<Run> run = tx.run(id);
      if (run.filter(r -> r.stopAsked() && r.state() == RunState.QUEUED).isPresent()) {
        stop(tx, run.get(), now);
        return Optional.empty();
      }
      if (run.isEmpty()
          || !(RunLife.apply(run.get(), new RunChange.Picked(lease, now))
              instanceof RunLife.Verdict.Changed(Run picked))) {
        return Optional.empty();
      }
      tx.put(picked);
      tx.put(
          Attempt.begun(
              id, picked.attempt(), settings.host(), mark, picked.session().isPresent(), now));
      tx.append(id, now, new RunEvent.RunPicked(picked.attempt(), settings.host().value()));
      return Optional.of(picked);
    });
  }

  /** A stop that was asked for while the attempt before was being lost. */
  private static void stop(Tx tx, Run run, Instant now) {
    Outcome outcome = new Outcome(RunState.STOPPED, "stopped between two attempts");
    RunEnds.end(tx, run, outcome, 0, "the run was stopped before it was delivered", now);
  }
}
