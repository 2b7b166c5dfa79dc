package dev.midcourse.hub;

import dev.midcourse.agents.Drivers;
import dev.midcourse.agents.HubEnvironment;
import dev.midcourse.agents.rehearsal.InProcessRehearsal;
import dev.midcourse.core.id.AgentName;
import dev.midcourse.core.id.Ids;
import dev.midcourse.engine.conversation.context.ConversationWorkers;
import dev.midcourse.engine.schedule.ConversationEntry;
import dev.midcourse.engine.schedule.ScheduleParts;
import dev.midcourse.engine.schedule.ScheduleService;
import dev.midcourse.engine.timer.LocalTimers;
import dev.midcourse.hub.api.access.DenialLog;
import dev.midcourse.hub.api.lookup.AgentSelector;
import dev.midcourse.hub.api.operation.HubContext;
import dev.midcourse.hub.api.operation.HubOperations;
import dev.midcourse.hub.auth.HubIdentity;
import dev.midcourse.hub.auth.PageSessions;
import dev.midcourse.hub.auth.PageSignIn;
import dev.midcourse.hub.auth.SessionsInMemory;
import dev.midcourse.hub.chat.SettingsWorkers;
import dev.midcourse.hub.http.route.Route;
import dev.midcourse.hub.metrics.AgentProcesses;
import dev.midcourse.hub.metrics.SteerLatency;
import dev.midcourse.hub.schedule.ScheduleOperations;
import dev.midcourse.hub.schedule.ScheduleRoutes;
import dev.midcourse.hub.schedule.WorkerRunStarter;
import dev.midcourse.hub.settings.HubSettings;
import dev.midcourse.hub.settings.SettingsFile;
import dev.midcourse.hub.settings.worker.WorkerRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.awaitility.Awaitility;
import tools.jackson.databind.JsonNode;

/** A real hub in its own folder, with the in-process rehearsal agent, and clients for it. */
public final class HubFixture implements AutoCloseable {
  static {
    Awaitility.setDefaultPollInterval(Duration.ofMillis(5));
    Awaitility.setDefaultPollDelay(Duration.ZERO);
  }

  private final Path data;
  private final InProcessRehearsal agent;
  private final Hub hub;

  private HubFixture(Path data, InProcessRehearsal agent, Hub hub) {
    this.data = data;
    this.agent = agent;
    this.hub = hub;
  }

  public static HubFixture open(Path data) {
    InProcessRehearsal agent = new InProcessRehearsal();
    Drivers drivers = Drivers.of(Map.of(AgentName.of("rehearsal"), agent));
    return new HubFixture(data, agent, Hub.start(HubSettings.in(data).withPort(0), _ -> drivers));
  }

  /** Starts a hub at this port. */
  public static HubFixture openAt(Path data, int port) {
    InProcessRehearsal agent = new InProcessRehearsal();
    Drivers drivers = Drivers.of(Map.of(AgentName.of("rehearsal"), agent));
    return new HubFixture(
        data, agent, Hub.start(HubSettings.in(data).withPort(port), _ -> drivers));
  }

  /** Starts a hub with the settings in the folder. */
  public static HubFixture asTheFileSays(Path data) {
    InProcessRehearsal agent = new InProcessRehearsal();
    Drivers drivers = Drivers.of(Map.of(AgentName.of("rehearsal"), agent));
    return new HubFixture(
        data, agent, Hub.start(SettingsFile.read(data).withPort(0), _ -> drivers));
  }

  public Hub hub() {
    return hub;
  }

  /** Returns the context of this hub's routes. */
  public HubContext parts() {
    return new HubContext(
        hub.engine(),
        new AgentSelector(hub.engine().drivers(), Optional.empty(), InstantSource.system()),
        WorkerRegistry.EMPTY,
        new SteerLatency(
            hub.engine().ledger(), hub.engine().settings().host(), InstantSource.system()),
        new AgentProcesses(
            Map::of, hub.engine().ledger(), hub.engine().settings().host(), InstantSource.system()),
        new DenialLog(hub.engine().ledger(), InstantSource.system()),
        new Ids(new SecureRandom()),
        InstantSource.system(),
        new HubContext.HubInfo("0", 0, data, hub.url(), Instant.EPOCH),
        new HubContext.HubAccess(
            new PageSignIn(
                new PageSessions(SessionsInMemory.empty(), InstantSource.system(), hub.port()),
                new HubIdentity(line -> line),
                InstantSource.system()),
            hub.url(),
            () -> {},
            statement -> statement,
            false),
        () -> 0,
        () -> {});
  }

  /** The workers of the settings, as chats see them. */
  public ConversationWorkers conversationWorkers() {
    return new SettingsWorkers(
        parts().workers(), Optional.empty(), parts()::defaultAgent, parts().engine().ledger());
  }

  /** The routes of schedules, for their description. */
  public List<Route<?, ?>> scheduleRoutes() {
    HubOperations operations = new HubOperations(parts());
    ScheduleParts schedules =
        new ScheduleParts(
            hub.engine().ledger(),
            hub.engine().runs(),
            new LocalTimers(InstantSource.system()),
            InstantSource.system(),
            new Ids(new SecureRandom()),
            new WorkerRunStarter(operations.runs()),
            ConversationEntry.none(),
            HubEnvironment.ofThisProcess());
    return new ScheduleRoutes(
            new ScheduleOperations(parts(), operations, new ScheduleService(schedules)))
        .routes();
  }

  /** Returns a client over the Unix socket, which acts as a person. */
  public RawClient socket() {
    return new RawClient(UnixDomainSocketAddress.of(data.resolve("hub.sock")), Map.of());
  }

  /** Returns a client over TCP with the token. */
  public RawClient tcp() {
    return stranger().with("Authorization", "Bearer " + token());
  }

  /** Returns a client over TCP without the token. */
  public RawClient stranger() {
    return new RawClient(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), hub.port()), Map.of());
  }

  public String token() {
    try {
      return Files.readString(data.resolve("token")).strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Starts a run that works until it is stopped; returns its id when its turn runs. */
  public String busyRun() {
    return run("$ sleep 600");
  }

  /** Starts a run with this prompt; returns its id when its first turn runs. */
  public String run(String prompt) {
    String body = dev.midcourse.ledger.json.JsonCodec.write(Map.of("prompt", prompt));
    RawClient.Reply created = socket().post("/api/v1/runs", body);
    String id = created.text("run_id");
    Awaitility.await("run " + created.body())
        .atMost(Duration.ofMinutes(1))
        .until(() -> socket().get("/api/v1/runs/" + id).json().path("turn").asInt(0) > 0);
    return id;
  }

  /** Returns the receipts of a run in order. */
  public List<JsonNode> steers(String run) {
    String path = "/api/v1/runs/" + run + "/steers";
    return socket().get(path).json().path("steers").valueStream().toList();
  }

  /** Waits for the run's end and returns its state. */
  public String end(String run) {
    return socket().get("/api/v1/runs/" + run + "?wait=end&timeout=60s").text("state");
  }

  @Override
  public void close() {
    hub.close();
    agent.close();
  }
}
