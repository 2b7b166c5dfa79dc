package dev.midcourse.engine.supervise;

import dev.midcourse.core.id.RunId;
import dev.midcourse.core.run.Ask;
import dev.midcourse.core.run.Attempt;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.RunState;
import dev.midcourse.core.run.TurnRecord;
import dev.midcourse.core.steer.Steer;
import dev.midcourse.core.steer.TurnState;
import dev.midcourse.ledger.LedgerReader;
import java.util.List;
import java.util.Optional;

/**
 * Everything the ledger knows of a running run when a supervisor begins to attend it.
 *
 * @param lastTurn the newest turn of the run, also when an earlier attempt had it
 * @param asks all questions of the run, also the closed ones
 */
record AttemptSnapshot(
    Run run,
    Attempt attempt,
    Optional<TurnRecord> lastTurn,
    List<Steer> openSteers,
    List<Ask> asks) {

  /** Empty when the run is not running. */
  static Optional<AttemptSnapshot> read(LedgerReader reading, RunId id) {
    return reading
        .run(id)
        .filter(run -> run.state() == RunState.RUNNING)
        .flatMap(run ->
            reading
                .attempt(id, run.attempt())
                .map(attempt ->
                    new AttemptSnapshot(
                        run,
                        attempt,
                        reading.turn(id, run.turn()),
                        reading.openSteers(id),
                        reading.asks(id))));
  }

  /** The turn of this attempt as the ledger has it. */
  TurnState turn() {
    Optional<TurnRecord> open =
        lastTurn
            .filter(record -> record.attempt() == attempt.number())
            .filter(record -> record.endedAt().isEmpty());
    if (open.isEmpty()) {
      return new TurnState.Settled(run.turn());
    }
    return open.get().taken()
        ? new TurnState.Running(run.turn())
        : new TurnState.Opening(run.turn());
  }

  /** The questions of this attempt that have no answer. */
  List<Ask> openAsks() {
    return asks.stream()
        .filter(ask -> ask.attempt() == attempt.number())
        .filter(Ask::open)
        .toList();
  }
}
