package dev.midcourse.engine.queue;

import dev.midcourse.core.Transition;
import dev.midcourse.core.event.RunEvent;
import dev.midcourse.core.id.AgentName;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.run.Attempt;
import dev.midcourse.core.run.Lease;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.RunChange;
import dev.midcourse.core.run.RunOutcome;
import dev.midcourse.core.run.RunState;
import dev.midcourse.core.run.RunTransitions;
import dev.midcourse.engine.context.EngineContext;
import dev.midcourse.ledger.LedgerReader;
import dev.midcourse.ledger.Transaction;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
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
   * @param displaced the idle runs that have to end, each with the queued run that needs its place
   * @param nextAt when the next pause between two attempts ends
   */
  public record Selection(
      List<RunId> ready,
      Map<RunId, String> held,
      Map<RunId, RunId> displaced,
      Optional<Instant> nextAt) {}

  /**
   * Selects the queued runs that have room. An idle run blocks no queued run: when only idle runs
   * leave no room, those that have been idle for longest have to end.
   */
  public Selection next() {
    Instant now = context.clock().instant();
    List<Run> live = context.ledger().read(reading -> reading.liveRuns());
    RunCapacity capacity = new RunCapacity(context.settings());
    List<Run> idle = new ArrayList<>();
    for (Run run : live) {
      if (run.state() == RunState.RUNNING) {
        capacity.add(run);
        run.idle().ifPresent(_ -> idle.add(run));
      }
    }
    idle.sort(Comparator.comparing(run -> run.idle().orElseThrow().since()));
    List<RunId> ready = new ArrayList<>();
    Map<RunId, String> held = new HashMap<>();
    Map<RunId, RunId> displaced = new HashMap<>();
    Optional<Instant> next = Optional.empty();
    for (Run run : live) {
      if (run.state() != RunState.QUEUED) {
        continue;
      }
      Optional<Instant> pause = run.notBefore().filter(now::isBefore);
      if (pause.isPresent()) {
        next = next.isEmpty() || pause.get().isBefore(next.get()) ? pause : next;
      } else if (capacity.hasRoom(run)) {
        if (!context.ledger().<Boolean>read(reading -> isSessionHeld(reading, run))) {
          ready.add(run.id());
          capacity.add(run);
        }
      } else {
        Optional<List<Run>> ending = capacity.displacedFor(run, idle);
        if (ending.isPresent()) {
          ending.get().forEach(it -> displaced.put(it.id(), run.id()));
          ending.get().forEach(capacity::remove);
          idle.removeAll(ending.get());
          capacity.add(run);
        } else {
          quotaReason(capacity, run).ifPresent(reason -> held.put(run.id(), reason));
        }
      }
    }
    return new Selection(List.copyOf(ready), Map.copyOf(held), Map.copyOf(displaced), next);
  }

  private static Optional<String> quotaReason(RunCapacity capacity, Run run) {
    AgentName agent = run.spec().agent();
    boolean onlyAgent = capacity.hasRoomOnHost() && capacity.hasRoomOfWorker(run.spec().worker());
    return onlyAgent
        ? Optional.of(
            "agent %s already has %d running, its limit"
                .formatted(agent, capacity.maxOfAgent(agent)))
        : Optional.empty();
  }

  /**
   * Whether a process of another run may still use the session of this one. An ended run holds its
   * session until its processes have ended.
   */
  private static boolean isSessionHeld(LedgerReader reading, Run run) {
    return run.session().filter(its -> reading.isSessionHeldByOther(run, its)).isPresent();
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

  /**
   * Claims the run for its next attempt. Empty when it is not queued any more, or when another run
   * has its session.
   */
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
              || isSessionHeld(tx, run.get())
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
