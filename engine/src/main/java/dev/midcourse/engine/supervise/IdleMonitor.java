package dev.midcourse.engine.supervise;

import dev.midcourse.core.event.RunEvent;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.run.IdlePeriod;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.RunChange;
import dev.midcourse.core.run.TurnRecord;
import dev.midcourse.engine.attempt.AttemptContext;
import dev.midcourse.engine.attempt.AttemptUnitOfWork;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Keeps the agent of a run with a linger between two turns. The idle time begins with the end of a
 * turn that completed, and its end is stored, so that a later hub keeps the same deadline. It is
 * over with the next turn, at the deadline, or when a queued run needs the place.
 */
final class IdleMonitor {
  /** Between two tries to end a run that is kept open by a steer. */
  private static final Duration RETRY_DELAY = Duration.ofMillis(100);

  private final AttemptUnitOfWork unitOfWork;
  private final LimitGuard limitGuard;
  private final Runnable beforeIdle;
  private final Runnable onIdle;
  private Optional<RunId> displacedBy = Optional.empty();
  private Instant checkedAt = Instant.MIN;

  /**
   * @param beforeIdle adds to the unit of work what an idle time begins with
   * @param onIdle called when the ledger has the beginning of an idle time
   */
  IdleMonitor(AttemptContext context, LimitGuard limitGuard, Runnable beforeIdle, Runnable onIdle) {
    this.unitOfWork = context.unitOfWork();
    this.limitGuard = limitGuard;
    this.beforeIdle = beforeIdle;
    this.onIdle = onIdle;
  }

  /**
   * Whether the run stays open after its settled turn. The first call after a turn begins the idle
   * time.
   */
  boolean isWaiting() {
    checkedAt = unitOfWork.now();
    if (unitOfWork.run().idle().isEmpty()) {
      displacedBy = Optional.empty();
      nextPeriod().filter(period -> !period.isOver(checkedAt)).ifPresent(this::begin);
    }
    if (displacedBy.isPresent()) {
      unitOfWork.append(
          new RunEvent.Noted(
              "ended before its linger was over: run " + displacedBy.get() + " needs its place"));
      displacedBy = Optional.empty();
      return false;
    }
    return unitOfWork.run().idle().filter(period -> !period.isOver(checkedAt)).isPresent();
  }

  /** Ends the idle time for a queued run. Has no effect on a run that is not idle. */
  void giveWay(RunId queued) {
    displacedBy = Optional.of(queued).filter(_ -> unitOfWork.run().idle().isPresent());
  }

  /** When the idle time is over. */
  Optional<Instant> wakeAt() {
    return unitOfWork
        .run()
        .idle()
        .map(IdlePeriod::until)
        .map(until -> {
          Instant next = checkedAt.equals(Instant.MIN) ? Instant.MIN : checkedAt.plus(RETRY_DELAY);
          return until.isBefore(next) ? next : until;
        });
  }

  /**
   * The idle time after the last turn. A turn that failed ends its run, a dispatched run ends with
   * its completion, and a run at a limit may not have another turn.
   */
  private Optional<IdlePeriod> nextPeriod() {
    Run run = unitOfWork.run();
    if (run.spec().dispatch().isPresent() || limitGuard.reachedLimit().isPresent()) {
      return Optional.empty();
    }
    Optional<Instant> turnEnd =
        unitOfWork
            .turn()
            .filter(turn -> turn.attempt() == unitOfWork.attemptNumber() && turn.completed())
            .flatMap(TurnRecord::endedAt);
    return run.spec().linger().flatMap(linger -> turnEnd.map(end -> IdlePeriod.after(end, linger)));
  }

  private void begin(IdlePeriod period) {
    beforeIdle.run();
    int attempt = unitOfWork.attemptNumber();
    unitOfWork.change(new RunChange.WentIdle(attempt, period, checkedAt));
    unitOfWork.append(new RunEvent.Idle(attempt, unitOfWork.run().turn(), period.until()));
    unitOfWork.commit();
    onIdle.run();
  }
}
