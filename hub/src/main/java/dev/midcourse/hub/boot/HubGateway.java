package dev.midcourse.hub.boot;

import dev.midcourse.agents.AgentSettings;
import dev.midcourse.agents.AgentSettings.Gateway;
import dev.midcourse.agents.Driver;
import dev.midcourse.agents.Drivers;
import dev.midcourse.agents.HubEnvironment;
import dev.midcourse.agents.claude.ClaudeDefinition;
import dev.midcourse.agents.process.ProcessHost;
import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.id.AgentName;
import dev.midcourse.gateway.driver.GatewayDriver;
import dev.midcourse.gateway.driver.ModelAddress;
import dev.midcourse.gateway.process.GatewayFolder;
import dev.midcourse.gateway.process.GatewayProcess;
import dev.midcourse.gateway.record.RouteFolder;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.Optional;

/**
 * The gateway of this hub, if the settings put an agent behind it. When the hub ends, the gateway
 * keeps running for the agents that are still behind it, and ends if there are none.
 */
public final class HubGateway implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(HubGateway.class.getName());
  private static final String FOLDER = "gateway";

  private final Map<AgentName, AgentSettings> agents;
  private final ProcessHost processes;
  private final GatewayProcess process;
  private final RouteFolder routes;

  private HubGateway(
      Map<AgentName, AgentSettings> agents,
      ProcessHost processes,
      GatewayProcess process,
      RouteFolder routes) {
    this.agents = agents;
    this.processes = processes;
    this.process = process;
    this.routes = routes;
  }

  /** Adopts or starts the gateway if an agent needs it. */
  public static Optional<HubGateway> open(
      Map<AgentName, AgentSettings> agents, DataFolder data, ProcessHost processes) {
    if (agents.values().stream().noneMatch(HubGateway::isBehind)) {
      return Optional.empty();
    }
    try {
      GatewayFolder folder = GatewayFolder.open(data.file(FOLDER));
      RouteFolder routes = RouteFolder.open(folder.routes());
      GatewayProcess process = GatewayProcess.open(processes, folder);
      return Optional.of(new HubGateway(agents, processes, process, routes));
    } catch (IOException failure) {
      throw refused(failure);
    } catch (InterruptedException asked) {
      Thread.currentThread().interrupt();
      throw refused(asked);
    }
  }

  private static RefusedException refused(Exception failure) {
    return new RefusedException(
        Problem.of(
            Code.UNAVAILABLE,
            "gateway",
            "a gateway that starts, or gateway = \"off\"",
            "the gateway is not running: " + failure.getMessage()),
        failure);
  }

  private static boolean isBehind(AgentSettings settings) {
    return settings.gateway() == Gateway.ON;
  }

  /** Returns the drivers with the gateway in front of the agents that the settings name. */
  public Drivers inFrontOf(Drivers drivers) {
    return drivers.each((name, driver) ->
        Optional.ofNullable(agents.get(name))
            .filter(HubGateway::isBehind)
            .<Driver>map(settings ->
                new GatewayDriver(driver, process, routes, processes.folders(), address(settings)))
            .orElse(driver));
  }

  private static ModelAddress address(AgentSettings settings) {
    return ModelAddress.ofClaude(
        new ClaudeDefinition(settings, HubEnvironment.ofThisProcess()).inheritedEnvironment());
  }

  @Override
  public void close() {
    try {
      if (routes.isEmpty()) {
        process.end();
      }
    } catch (IOException failure) {
      LOG.log(
          Level.WARNING,
          "The routes of the gateway cannot be read ({0}). It keeps running.",
          failure.getMessage());
    } catch (InterruptedException asked) {
      Thread.currentThread().interrupt();
    } finally {
      process.close();
    }
  }
}
