package dev.midcourse.hub.api.operation;

import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.RunState;
import dev.midcourse.ledger.Ledger;
import dev.midcourse.ledger.LedgerReader;
import dev.midcourse.ledger.json.RunView;
import java.util.Optional;

/** Runs as the interfaces show them: a queued run with its place in the queue. */
record RunViews(Ledger ledger) {
  RunView of(Run run) {
    return ledger.read(reading -> of(reading, run));
  }

  static RunView of(LedgerReader reading, Run run) {
    return RunView.of(
        run,
        run.state() == RunState.QUEUED ? Optional.of(reading.placeInQueue(run)) : Optional.empty());
  }
}
