package dev.midcourse.hub.api;

import dev.midcourse.core.id.Ids;
import dev.midcourse.engine.Engine;
import dev.midcourse.hub.crew.Crew;
import dev.midcourse.hub.metrics.Hops;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.IntSupplier;

/**
 * What the routes work with.
 *
 * @param facts what the hub says of itself
 * @param clients how many are connected now
 * @param goDown begins to end the hub and returns
 */
public record Parts(
    Engine engine,
    Roster roster,
    Crew crew,
    Hops hops,
    Ids ids,
    InstantSource clock,
    Facts facts,
    IntSupplier clients,
    Runnable goDown) {

  /** What the hub says of itself. */
  public record Facts(String version, long pid, Path data, String url, Instant startedAt) {}

  Permits permits() {
    return new Permits(engine.ledger(), clock);
  }

  Lookup lookup() {
    return new Lookup(engine.ledger());
  }
}
