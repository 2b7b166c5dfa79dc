package dev.midcourse.engine.queue;

import dev.midcourse.core.Transition;
import dev.midcourse.core.event.RunEvent;
import dev.midcourse.core.id.AgentName;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.run.Attempt;
import dev.midcourse.core.run.Lease;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.RunChange;
import dev.midcourse.core.run.RunOutcome;
import dev.midcourse.core.run.RunState;
import dev.midcourse.core.run.RunTransitions;
import dev.midcourse.engine.context.EngineContext;
import dev.midcourse.ledger.Transaction;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Selects and claims queued runs: the oldest first, within the limits of each worker, each agent
 * and the host. Claiming a run and creating its attempt is one transaction, so two hosts never
 * claim the same run.
 */
public record RunQueue(EngineContext context) {
  private static final int MARK_LENGTH = 24;

  /**
   * The runs that may start now.
   *
   * @param ready the runs that may start
   * @param held the runs that only the quota of their agent holds back, with the reason
   * @param nextAt when the next pause between two attempts ends
   */
  public record Selection(List<RunId> ready, Map<RunId, String> held, Optional<Instant> nextAt) {}

  public Selection next() {
    Instant now = context.clock().instant();
    List<Run> live = context.ledger().read(reading -> reading.liveRuns());
    Map<WorkerName, Integer> busy = new HashMap<>();
    Map<AgentName, Integer> working = new HashMap<>();
    int running = 0;
    for (Run run : live) {
      if (run.state() == RunState.RUNNING) {
        busy.merge(run.spec().worker(), 1, Integer::sum);
        working.merge(run.spec().agent(), 1, Integer::sum);
        running++;
      }
    }
    List<RunId> ready = new ArrayList<>();
    Map<RunId, String> held = new HashMap<>();
    Optional<Instant> next = Optional.empty();
    for (Run run : live) {
      if (run.state() != RunState.QUEUED) {
        continue;
      }
      WorkerName worker = run.spec().worker();
      boolean free =
          running < context.settings().maxRunning()
              && busy.getOrDefault(worker, 0) < context.settings().atOnce(worker);
      Optional<Instant> pause = run.notBefore().filter(now::isBefore);
      if (pause.isPresent()) {
        next = next.isEmpty() || pause.get().isBefore(next.get()) ? pause : next;
      } else if (free) {
        AgentName agent = run.spec().agent();
        int most = context.settings().bounds(agent).atOnce().orElse(Integer.MAX_VALUE);
        if (working.getOrDefault(agent, 0) >= most) {
          held.put(run.id(), "agent " + agent + " already has " + most + " running, its limit");
          continue;
        }
        ready.add(run.id());
        working.merge(agent, 1, Integer::sum);
        busy.merge(worker, 1, Integer::sum);
        running++;
      }
    }
    return new Selection(List.copyOf(ready), Map.copyOf(held), next);
  }

  /** Records why a queued run has to wait. */
  public void recordHeld(RunId id, String reason) {
    context
        .ledger()
        .write(tx -> {
          tx.append(id, context.clock().instant(), new RunEvent.LimitReached("at_once", reason));
          return id;
        });
  }

  /** Claims the run for its next attempt. Empty when it is not queued any more. */
  public Optional<Run> claim(RunId id) {
    Instant now = context.clock().instant();
    Lease lease = new Lease(context.settings().host(), now.plus(context.settings().lease()));
    String mark = context.ids().token(MARK_LENGTH);
    return context
        .ledger()
        .write(tx -> {
          Optional<Run> run = tx.run(id);
          if (run.filter(r -> r.stopAsked() && r.state() == RunState.QUEUED).isPresent()) {
            stop(tx, run.get(), now);
            return Optional.empty();
          }
          if (run.isEmpty()
              || !(RunTransitions.apply(run.get(), new RunChange.Picked(lease, now))
                  instanceof Transition.Changed(Run picked))) {
            return Optional.empty();
          }
          tx.put(picked);
          tx.put(
              Attempt.begun(
                  id,
                  picked.attempt(),
                  context.settings().host(),
                  mark,
                  picked.session().isPresent(),
                  now));
          tx.append(
              id, now, new RunEvent.RunPicked(picked.attempt(), context.settings().host().value()));
          return Optional.of(picked);
        });
  }

  /** Carries out a stop that came while the attempt before was lost. */
  private static void stop(Transaction tx, Run run, Instant now) {
    RunOutcome outcome = new RunOutcome(RunState.STOPPED, "stopped between two attempts");
    RunTermination.end(tx, run, outcome, 0, "the run was stopped before it was delivered", now);
  }
}
