package dev.midcourse.hub.api.operation;

import dev.midcourse.core.id.AgentName;
import dev.midcourse.core.id.Ids;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.engine.Engine;
import dev.midcourse.hub.api.access.AccessControl;
import dev.midcourse.hub.api.access.DenialLog;
import dev.midcourse.hub.api.lookup.AgentSelector;
import dev.midcourse.hub.api.lookup.IdResolver;
import dev.midcourse.hub.auth.PageSignIn;
import dev.midcourse.hub.metrics.AgentProcesses;
import dev.midcourse.hub.metrics.SteerLatency;
import dev.midcourse.hub.settings.worker.WorkerConfig;
import dev.midcourse.hub.settings.worker.WorkerRegistry;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.IntSupplier;
import java.util.function.UnaryOperator;

/**
 * The parts that the operations and routes use.
 *
 * @param facts version, process, folder and URL of the hub
 * @param access the sign-in of the page, and the token
 * @param processes the processes of the agents
 * @param clients the number of connected clients
 * @param shutdown begins to end the hub and returns
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
    HubAccess access,
    IntSupplier clients,
    Runnable shutdown) {

  /**
   * The sign-in of the page, and the token of programs.
   *
   * @param pageUrl the address of the page for browsers
   * @param rotateToken replaces the token and writes its file
   * @param proveToken proves with a statement that the hub has the token
   * @param keepsToken whether the token stays when the hub starts again
   */
  public record HubAccess(
      PageSignIn signIn,
      String pageUrl,
      Runnable rotateToken,
      UnaryOperator<String> proveToken,
      boolean keepsToken) {}

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

  /** The agent of a worker if nobody asks for another; refuses if it is not installed. */
  public AgentName defaultAgent(WorkerName worker) {
    return agentFor(worker, Optional.empty()).agent();
  }

  public AccessControl permits() {
    return new AccessControl(engine.ledger(), denials);
  }

  public IdResolver lookup() {
    return new IdResolver(engine.ledger());
  }
}
