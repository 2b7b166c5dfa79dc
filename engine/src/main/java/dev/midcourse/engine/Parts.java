package dev.midcourse.engine;

import dev.midcourse.agents.Drivers;
import dev.midcourse.core.id.Ids;
import dev.midcourse.ledger.Ledger;
import java.time.InstantSource;

/** What every part of the engine works with. */
record Parts(
    Ledger ledger, Drivers drivers, EngineSettings settings, InstantSource clock, Ids ids) {
  Orders orders() {
    return new Orders(settings);
  }

  Picking picking() {
    return new Picking(ledger, settings, clock, ids);
  }
}
