package dev.midcourse.engine.queue;

import dev.midcourse.core.Transition;
import dev.midcourse.core.event.RunEvent;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.RunChange;
import dev.midcourse.core.run.RunOutcome;
import dev.midcourse.core.run.RunState;
import dev.midcourse.core.run.RunTransitions;
import dev.midcourse.core.steer.Author;
import dev.midcourse.ledger.Transaction;
import java.time.Instant;

/** Stores a stop: marks a running run for its supervisor, and ends a queued run at once. */
public final class StopIntake {
  private StopIntake() {}

  public static void request(Transaction tx, Run run, Author author, Instant now) {
    if (!(RunTransitions.apply(run, new RunChange.StopAsked(now))
        instanceof Transition.Changed(Run asked))) {
      return;
    }
    tx.append(run.id(), now, new RunEvent.StopAsked(author));
    if (run.state() == RunState.RUNNING) {
      tx.put(asked);
      return;
    }
    RunOutcome outcome = new RunOutcome(RunState.STOPPED, "stopped before it started");
    RunTermination.end(tx, asked, outcome, 0, "the run was stopped before it started", now);
  }
}
