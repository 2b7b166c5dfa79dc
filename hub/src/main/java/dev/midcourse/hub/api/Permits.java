package dev.midcourse.hub.api;

import dev.midcourse.core.Problem;
import dev.midcourse.core.authority.Act;
import dev.midcourse.core.authority.Asker;
import dev.midcourse.core.authority.Authority;
import dev.midcourse.core.event.RunEvent;
import dev.midcourse.core.id.RunId;
import dev.midcourse.ledger.Ledger;
import java.time.InstantSource;
import java.util.Optional;

/** Asks the one function that decides, and writes down whom it refused what about a run. */
record Permits(Ledger ledger, InstantSource clock) {

  void require(Asker asker, Act act) {
    Optional<Problem> objection = Authority.objection(asker, act);
    if (objection.isPresent()) {
      note(asker, act, objection.get());
      throw objection.get().refused();
    }
  }

  /** Writes down whom was refused what, whether the run is there or not. */
  void note(Asker asker, RunId run, String what, String why) {
    ledger.write(tx -> {
      tx.append(run, clock.instant(), new RunEvent.Denied(asker.author(), what, why));
      return run;
    });
  }

  private void note(Asker asker, Act act, Problem why) {
    act.about()
        .ifPresent(run ->
            ledger.write(tx -> {
              boolean known = tx.run(run).isPresent();
              if (known) {
                tx.append(
                    run,
                    clock.instant(),
                    new RunEvent.Denied(asker.author(), act.words(), why.message()));
              }
              return known;
            }));
  }
}
