package dev.midcourse.engine.queue;

import dev.midcourse.core.Transition;
import dev.midcourse.core.event.RunEvent;
import dev.midcourse.core.event.SteerEvents;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.RunChange;
import dev.midcourse.core.run.RunOutcome;
import dev.midcourse.core.run.RunState;
import dev.midcourse.core.run.RunTransitions;
import dev.midcourse.core.steer.Steer;
import dev.midcourse.core.steer.SteerChange;
import dev.midcourse.core.steer.SteerMode;
import dev.midcourse.core.steer.SteerTransitions;
import dev.midcourse.ledger.Transaction;
import java.time.Instant;

/**
 * Ends a run as part of a transaction, together with every steer that is still open, so that an
 * ended run never has an open steer.
 */
public final class RunTermination {
  private RunTermination() {}

  /**
   * Ends the run. An open stop counts as carried out, a steer in the conversation as answered, any
   * other expires.
   */
  public static Run end(
      Transaction tx, Run run, RunOutcome outcome, int processes, String whySteers, Instant now) {
    for (Steer steer : tx.openSteers(run.id())) {
      put(tx, steer, endOf(steer, outcome, whySteers, now));
    }
    RunChange.Finished finished = new RunChange.Finished(run.attempt(), outcome, now);
    if (!(RunTransitions.apply(run, finished) instanceof Transition.Changed(Run ended))) {
      return run;
    }
    tx.put(ended);
    tx.append(
        run.id(),
        now,
        new RunEvent.RunEnded(run.attempt(), outcome.state(), outcome.summary(), processes));
    return ended;
  }

  private static SteerChange endOf(Steer steer, RunOutcome outcome, String why, Instant now) {
    if (steer.mode() == SteerMode.STOP && outcome.state() == RunState.STOPPED) {
      return new SteerChange.CarriedOut(now, outcome.summary());
    }
    return steer.inConversation()
        ? new SteerChange.Answered(steer.holder(), now, "the run ended: " + outcome.state().wire())
        : new SteerChange.Expired(now, why);
  }

  public static Run failed(Transaction tx, Run run, String reason, Instant now) {
    RunOutcome outcome = new RunOutcome(RunState.FAILED, reason);
    return end(tx, run, outcome, 0, "the run failed before it was delivered", now);
  }

  static void put(Transaction tx, Steer steer, SteerChange change) {
    if (SteerTransitions.apply(steer, change) instanceof Transition.Changed(Steer after)) {
      tx.put(after);
      SteerEvents.between(steer, after)
          .forEach(event -> tx.append(steer.run(), change.at(), event));
    }
  }
}
