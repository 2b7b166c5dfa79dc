package dev.midcourse.hub.settings;

import dev.midcourse.agents.AgentSettings;
import dev.midcourse.autopilot.forge.ForgeSettings;
import dev.midcourse.core.Problem;
import dev.midcourse.core.id.AgentName;
import dev.midcourse.core.watch.StallPolicy;
import dev.midcourse.engine.context.AgentQuota;
import dev.midcourse.hub.http.server.PublicUrl;
import dev.midcourse.hub.http.server.TlsSettings;
import dev.midcourse.hub.settings.channel.ChannelSettings;
import dev.midcourse.hub.settings.worker.WorkerRegistry;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The settings of a hub.
 *
 * @param data the folder of all data
 * @param host the address of the TCP endpoint
 * @param port its port; 0 takes a free one; without it the default is tried first
 * @param insecure whether it may listen beyond this machine without TLS
 * @param publicUrl the URL for browsers behind a proxy with TLS
 * @param tls the certificate of the TCP endpoint
 * @param untilIdle the time without a live run and without a client after which the hub ends
 * @param databaseUrl the PostgreSQL database, instead of a file in the folder
 * @param defaultAgent the agent of requests that name none
 * @param maxRunning the maximum of runs that have an agent at once
 * @param keepToken whether the token of programs stays the same when the hub starts again
 * @param workers the declared workers and groups
 * @param agents the settings of agents; agents without settings have the defaults
 * @param stallPolicy when a silent agent is quiet or stuck
 * @param redis the Redis server whose lists bring steers
 * @param channels the channels to people
 * @param chat how conversations in chats work
 * @param forges the forges of autopilot loops
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
    int maxRunning,
    boolean keepToken,
    WorkerRegistry workers,
    Map<AgentName, AgentConfig> agents,
    StallPolicy stallPolicy,
    Optional<RedisSettings> redis,
    ChannelSettings channels,
    ChatSettings chat,
    List<ForgeSettings> forges) {

  /**
   * An agent of the settings file.
   *
   * @param settings how the agent is run
   * @param bounds the quota of runs with this agent
   */
  public record AgentConfig(AgentSettings settings, AgentQuota bounds) {}

  public static final String LOOPBACK = "127.0.0.1";
  public static final int DEFAULT_PORT = 8787;
  public static final int DEFAULT_MAX_RUNNING = 200;

  public HubSettings {
    agents = Map.copyOf(agents);
    forges = List.copyOf(forges);
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

  /** Returns the TLS files, as paths in the data folder. Refuses one file without the other. */
  public static Optional<TlsSettings> tls(
      Path data, Optional<Path> certificate, Optional<Path> key) {
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

  /** Returns the default settings for this data folder. */
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
        DEFAULT_MAX_RUNNING,
        false,
        WorkerRegistry.EMPTY,
        Map.of(),
        StallPolicy.DEFAULT,
        Optional.empty(),
        ChannelSettings.DEFAULT,
        ChatSettings.defaults(),
        List.of());
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
        maxRunning,
        keepToken,
        workers,
        agents,
        stallPolicy,
        redis,
        channels,
        chat,
        forges);
  }

  /** Returns these settings of the hub itself with the other sections of the file. */
  HubSettings withSections(
      WorkerRegistry workerRegistry,
      Map<AgentName, AgentConfig> agentConfigs,
      StallPolicy watch,
      Optional<RedisSettings> redisSettings,
      ChannelSettings channelSettings,
      ChatSettings chatSettings,
      List<ForgeSettings> forgeSettings) {
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
        maxRunning,
        keepToken,
        workerRegistry,
        agentConfigs,
        watch,
        redisSettings,
        channelSettings,
        chatSettings,
        forgeSettings);
  }

  /** Returns the settings of each agent of the file. */
  public Map<AgentName, AgentSettings> agentSettings() {
    Map<AgentName, AgentSettings> settings = new HashMap<>();
    agents.forEach((name, plan) -> settings.put(name, plan.settings()));
    return settings;
  }

  /** Returns the driver of an agent and the name of its program. */
  public List<String> namesOf(AgentName name) {
    Optional<AgentSettings> written =
        Optional.ofNullable(agents.get(name)).map(AgentConfig::settings);
    Stream<String> driver = Stream.of(written.flatMap(AgentSettings::driver).orElse(name.value()));
    Stream<String> program =
        written.flatMap(AgentSettings::command).stream()
            .map(command -> command.substring(command.lastIndexOf('/') + 1));
    return Stream.concat(driver, program).toList();
  }

  /** Returns the quota of each agent of the file. */
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
