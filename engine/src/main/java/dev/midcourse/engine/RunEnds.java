package dev.midcourse.engine;

import dev.midcourse.core.event.RunEvent;
import dev.midcourse.core.event.SteerEvents;
import dev.midcourse.core.run.Outcome;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.RunChange;
import dev.midcourse.core.run.RunLife;
import dev.midcourse.core.run.RunState;
import dev.midcourse.core.steer.Mode;
import dev.midcourse.core.steer.Steer;
import dev.midcourse.core.steer.SteerChange;
import dev.midcourse.core.steer.SteerLife;
import dev.midcourse.ledger.Tx;
import java.time.Instant;

/**
 * The end of a run as part of a transaction: every steer that is still open gets its end with it,
 * so that none is ever left behind by an ended run.
 */
public final class RunEnds {
  private RunEnds() {}

  /** Ends the run; a stop that asked for it is carried out, any other open steer expires. */
  public static Run end(
      Tx tx, Run run, Outcome outcome, int processes, String whySteers, Instant now) {
    for (Steer steer : tx.openSteers(run.id())) {
      put(tx, steer, itsEnd(steer, outcome, whySteers, now));
    }
    RunChange.Finished finished = new RunChange.Finished(run.attempt(), outcome, now);
    if (!(RunLife.apply(run, finished) instanceof RunLife.Verdict.Changed(Run ended))) {
      return run;
    }
    tx.put(ended);
    tx.append(
        run.id(),
        now,
        new RunEvent.RunEnded(run.attempt(), outcome.state(), outcome.summary(), processes));
    return ended;
  }

  private static SteerChange itsEnd(Steer steer, Outcome outcome, String why, Instant now) {
    if (steer.mode() == Mode.STOP && outcome.state() == RunState.STOPPED) {
      return new SteerChange.CarriedOut(now, outcome.summary());
    }
    return steer.inConversation()
        ? new SteerChange.Answered(steer.holder(), now, "the run ended: " + outcome.state().wire())
        : new SteerChange.Expired(now, why);
  }

  public static Run failed(Tx tx, Run run, String reason, Instant now) {
    Outcome outcome = new Outcome(RunState.FAILED, reason);
    return end(tx, run, outcome, 0, "the run failed before it was delivered", now);
  }

  static void put(Tx tx, Steer steer, SteerChange change) {
    if (SteerLife.apply(steer, change) instanceof SteerLife.Outcome.Changed(Steer after)) {
      tx.put(after);
      SteerEvents.between(steer, after)
          .forEach(event -> tx.append(steer.run(), change.at(), event));
    }
  }
}
