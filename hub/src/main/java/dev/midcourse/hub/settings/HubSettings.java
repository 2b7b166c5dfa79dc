package dev.midcourse.hub.settings;

import dev.midcourse.agents.AgentSettings;
import dev.midcourse.core.Problem;
import dev.midcourse.core.id.AgentName;
import dev.midcourse.engine.context.AgentQuota;
import dev.midcourse.hub.http.server.PublicUrl;
import dev.midcourse.hub.http.server.TlsSettings;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * How a hub is run.
 *
 * @param data the folder in which everything is kept
 * @param host the address of the TCP door
 * @param port its port; 0 takes any that is free, and without one the usual is tried first
 * @param insecure whether it may listen beyond this machine although nothing is enciphered
 * @param publicUrl where browsers find it through a proxy that speaks TLS
 * @param tls with what the TCP door enciphers, if it does
 * @param untilIdle after how long without a live run and without a client it ends by itself
 * @param databaseUrl the PostgreSQL to keep everything in, instead of a file in the folder
 * @param defaultAgent who works when nobody is named
 * @param mostRunning how many runs may have an agent at once
 * @param workers the workers that are declared, and the groups
 * @param agents what is written about agents; the others are run as usual
 */
public record HubSettings(
    Path data,
    String host,
    Optional<Integer> port,
    boolean insecure,
    Optional<PublicUrl> publicUrl,
    Optional<TlsSettings> tls,
    Optional<Duration> untilIdle,
    Optional<String> databaseUrl,
    Optional<AgentName> defaultAgent,
    int mostRunning,
    WorkerRegistry workers,
    Map<AgentName, AgentConfig> agents) {

  /**
   * An agent of the settings file.
   *
   * @param settings how the agent is run
   * @param bounds the quota of runs with this agent
   */
  public record AgentConfig(AgentSettings settings, AgentQuota bounds) {}

  public static final String LOOPBACK = "127.0.0.1";
  public static final int DEFAULT_PORT = 8787;
  public static final int DEFAULT_MOST_RUNNING = 200;

  public HubSettings {
    agents = Map.copyOf(agents);
    port.ifPresent(number -> {
      if (number < 0 || number > 65535) {
        throw Problem.invalid("port", "0 to 65535", "port must be from 0 to 65535; got " + number)
            .refused();
      }
    });
    if (!insecure && tls.isEmpty() && !isLoopback(host)) {
      throw Problem.invalid(
              "host",
              "a loopback address, or TLS, or --insecure",
              "listening on "
                  + host
                  + " would show everything in clear to the network: give --tls-cert and --tls-key,"
                  + " put a TLS proxy (see public_url) or an ssh tunnel in front of 127.0.0.1, or"
                  + " say --insecure")
          .refused();
    }
  }

  /** The two files of a door with TLS, as seen from the data folder; one alone is refused. */
  static Optional<TlsSettings> tls(Path data, Optional<Path> certificate, Optional<Path> key) {
    if (certificate.isPresent() != key.isPresent()) {
      String missing = certificate.isPresent() ? "tls_key" : "tls_cert";
      throw Problem.invalid(
              missing,
              "both files or none",
              "tls_cert and tls_key are given together or not at all")
          .refused();
    }
    return certificate.map(
        file -> new TlsSettings(data.resolve(file), data.resolve(key.orElseThrow())));
  }

  /** Everything as usual, in this folder. */
  public static HubSettings in(Path data) {
    return new HubSettings(
        data,
        LOOPBACK,
        Optional.empty(),
        false,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        DEFAULT_MOST_RUNNING,
        WorkerRegistry.NOBODY,
        Map.of());
  }

  public HubSettings withPort(int other) {
    return new HubSettings(
        data,
        host,
        Optional.of(other),
        insecure,
        publicUrl,
        tls,
        untilIdle,
        databaseUrl,
        defaultAgent,
        mostRunning,
        workers,
        agents);
  }

  public HubSettings withCrew(WorkerRegistry others) {
    return new HubSettings(
        data,
        host,
        port,
        insecure,
        publicUrl,
        tls,
        untilIdle,
        databaseUrl,
        defaultAgent,
        mostRunning,
        others,
        agents);
  }

  HubSettings withAgents(Map<AgentName, AgentConfig> others) {
    return new HubSettings(
        data,
        host,
        port,
        insecure,
        publicUrl,
        tls,
        untilIdle,
        databaseUrl,
        defaultAgent,
        mostRunning,
        workers,
        others);
  }

  /** How each agent of the file is to be run. */
  public Map<AgentName, AgentSettings> agentSettings() {
    Map<AgentName, AgentSettings> settings = new HashMap<>();
    agents.forEach((name, plan) -> settings.put(name, plan.settings()));
    return settings;
  }

  /** What runs with each agent of the file are held to. */
  public Map<AgentName, AgentQuota> agentBounds() {
    Map<AgentName, AgentQuota> bounds = new HashMap<>();
    agents.forEach((name, plan) -> bounds.put(name, plan.bounds()));
    return bounds;
  }

  private static boolean isLoopback(String host) {
    try {
      return InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException e) {
      throw Problem.invalid("host", "an address of this machine", "there is no host " + host)
          .refused();
    }
  }
}
