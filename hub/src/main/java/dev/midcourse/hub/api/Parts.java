package dev.midcourse.hub.api;

import dev.midcourse.core.id.AgentName;
import dev.midcourse.core.id.Ids;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.engine.Engine;
import dev.midcourse.hub.crew.Crew;
import dev.midcourse.hub.crew.WorkerPlan;
import dev.midcourse.hub.metrics.AgentProcesses;
import dev.midcourse.hub.metrics.Hops;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.IntSupplier;

/**
 * What the routes work with.
 *
 * @param facts what the hub says of itself
 * @param processes what the agents have running
 * @param clients how many are connected now
 * @param goDown begins to end the hub and returns
 */
public record Parts(
    Engine engine,
    Roster roster,
    Crew crew,
    Hops hops,
    AgentProcesses processes,
    Denials denials,
    Ids ids,
    InstantSource clock,
    Facts facts,
    IntSupplier clients,
    Runnable goDown) {

  /** What the hub says of itself. */
  public record Facts(String version, long pid, Path data, String url, Instant startedAt) {}

  /** Who works for this worker: who is wished for, whom its settings name, or the hub's choice. */
  Roster.Choice agentFor(WorkerName worker, Optional<AgentName> wish) {
    Optional<WorkerPlan> plan = crew.plan(worker);
    Optional<AgentName> named = wish.or(() -> plan.flatMap(WorkerPlan::agent));
    return plan.filter(WorkerPlan::inImage).isPresent()
        ? roster.chooseInImage(named)
        : roster.choose(named);
  }

  Permits permits() {
    return new Permits(engine.ledger(), denials);
  }

  Lookup lookup() {
    return new Lookup(engine.ledger());
  }
}
