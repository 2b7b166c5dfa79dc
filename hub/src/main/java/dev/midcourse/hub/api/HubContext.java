package dev.midcourse.hub.api;

import dev.midcourse.core.id.AgentName;
import dev.midcourse.core.id.Ids;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.engine.Engine;
import dev.midcourse.hub.metrics.AgentProcesses;
import dev.midcourse.hub.metrics.SteerLatency;
import dev.midcourse.hub.settings.WorkerConfig;
import dev.midcourse.hub.settings.WorkerRegistry;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.IntSupplier;

/**
 * The parts that the operations and routes use.
 *
 * @param facts version, process, folder and URL of the hub
 * @param processes the processes of the agents
 * @param clients the number of connected clients
 * @param goDown begins to end the hub and returns
 */
public record HubContext(
    Engine engine,
    AgentSelector agentSelector,
    WorkerRegistry workers,
    SteerLatency steerLatency,
    AgentProcesses processes,
    DenialLog denials,
    Ids ids,
    InstantSource clock,
    HubInfo facts,
    IntSupplier clients,
    Runnable goDown) {

  /** Version, process, folder and URL of the hub. */
  public record HubInfo(String version, long pid, Path data, String url, Instant startedAt) {}

  /** The agent of a worker: the requested one, that of its settings, or the hub's selection. */
  AgentSelector.Choice agentFor(WorkerName worker, Optional<AgentName> request) {
    Optional<WorkerConfig> plan = workers.plan(worker);
    Optional<AgentName> named = request.or(() -> plan.flatMap(WorkerConfig::agent));
    return plan.filter(WorkerConfig::inImage).isPresent()
        ? agentSelector.chooseInImage(named)
        : agentSelector.choose(named);
  }

  AccessControl permits() {
    return new AccessControl(engine.ledger(), denials);
  }

  IdResolver lookup() {
    return new IdResolver(engine.ledger());
  }
}
