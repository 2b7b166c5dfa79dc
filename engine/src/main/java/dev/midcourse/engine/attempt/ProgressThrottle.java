package dev.midcourse.engine.attempt;

import dev.midcourse.core.event.RunEvent;
import dev.midcourse.core.run.RunChange;
import dev.midcourse.core.watch.Progress;
import dev.midcourse.core.watch.ProgressPolicy;
import java.time.Instant;
import java.util.Optional;

/**
 * Records the progress of an agent at the rate that the gate allows. The newest progress is
 * recorded in any case, also when the agent says nothing more.
 */
public final class ProgressThrottle {
  private final AttemptUnitOfWork unitOfWork;
  private final ProgressPolicy gate;

  /** The newest progress that the gate did not let through yet. */
  private Optional<Progress> waiting = Optional.empty();

  /** The number of the newest progress of the run. */
  private long seq;

  public ProgressThrottle(AttemptUnitOfWork unitOfWork, ProgressPolicy gate) {
    this.unitOfWork = unitOfWork;
    this.gate = gate;
    this.seq = unitOfWork.run().progress().map(Progress::seq).orElse(0L);
  }

  public void add(String phase, String summary, Optional<String> tool, Instant now) {
    if (!summary.isBlank()) {
      offer(new Progress(phase, Progress.line(summary), tool, ++seq, now));
    }
  }

  private void offer(Progress next) {
    Optional<Progress> kept = unitOfWork.run().progress();
    if (gate.allows(kept, next)) {
      record(next);
    } else {
      waiting = kept.filter(next::hasSameText).isPresent() ? Optional.empty() : Optional.of(next);
    }
  }

  /** Records the waiting progress when its time has come. */
  public void recordDue(Instant now) {
    waiting.ifPresent(next -> offer(next.at(now)));
  }

  /**
   * Records the waiting progress before its time. The supervisor leaves, and the agent will not
   * repeat it for the next one.
   */
  public void recordWaiting() {
    waiting.ifPresent(this::record);
  }

  /** When the waiting progress is due. */
  public Optional<Instant> dueAt() {
    return waiting.flatMap(_ -> unitOfWork.run().progress()).map(gate::opensAfter);
  }

  private void record(Progress next) {
    waiting = Optional.empty();
    unitOfWork.change(new RunChange.Progressed(unitOfWork.attemptNumber(), next, next.at()));
    unitOfWork.append(
        new RunEvent.Progressed(
            unitOfWork.attemptNumber(), next.phase(), next.summary(), next.tool(), next.seq()));
  }
}
