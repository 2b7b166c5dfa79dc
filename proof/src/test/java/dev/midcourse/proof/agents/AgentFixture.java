package dev.midcourse.proof.agents;

import dev.midcourse.agents.Agent;
import dev.midcourse.agents.AgentEventBatch;
import dev.midcourse.agents.AgentListener;
import dev.midcourse.agents.AgentSettings;
import dev.midcourse.agents.AttemptSpec;
import dev.midcourse.agents.Driver;
import dev.midcourse.agents.Drivers;
import dev.midcourse.agents.HubEnvironment;
import dev.midcourse.agents.ProgramLookup;
import dev.midcourse.agents.catalogue.AgentCatalogue;
import dev.midcourse.agents.process.ProcessHost;
import dev.midcourse.agents.process.attempt.AttemptFolder;
import dev.midcourse.agents.process.attempt.ProcessMarker;
import dev.midcourse.agents.process.tree.StopTimeouts;
import dev.midcourse.agents.sandbox.SandboxSpec;
import dev.midcourse.core.agent.Capabilities;
import dev.midcourse.core.authority.NamePattern;
import dev.midcourse.core.id.AgentName;
import dev.midcourse.core.id.HostName;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SessionId;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.run.Attempt;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.RunSpec;
import dev.midcourse.core.steer.Author;
import dev.midcourse.core.steer.PendingPolicy;
import dev.midcourse.core.steer.Receipt;
import dev.midcourse.core.steer.Rung;
import dev.midcourse.core.steer.SteerMode;
import dev.midcourse.core.steer.SteerRequest;
import dev.midcourse.core.watch.ProgressPolicy;
import dev.midcourse.core.watch.RetryPolicy;
import dev.midcourse.core.watch.StallPolicy;
import dev.midcourse.engine.Engine;
import dev.midcourse.engine.NewRun;
import dev.midcourse.engine.context.EngineSettings;
import dev.midcourse.gateway.driver.GatewayDriver;
import dev.midcourse.gateway.driver.ModelAddress;
import dev.midcourse.gateway.process.GatewayFolder;
import dev.midcourse.gateway.process.GatewayProcess;
import dev.midcourse.gateway.record.RecordFile;
import dev.midcourse.gateway.record.RequestRecord;
import dev.midcourse.gateway.record.RouteFolder;
import dev.midcourse.ledger.Ledger;
import dev.midcourse.ledger.Log;
import dev.midcourse.ledger.sql.SqliteLedger;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A hub without interfaces in a folder: engine, ledger and the real driver of one agent, with short
 * methods for frequent actions of the suite. Closing it ends every process of its runs.
 */
final class AgentFixture implements AutoCloseable {
  static final Author PERSON = Author.person("proof");
  static final Duration TIMEOUT = Duration.ofMinutes(4);

  private static final WorkerName WORKER = WorkerName.of("proof");

  private final Path folder;
  private final AgentName agent;
  private final ProcessHost host;
  private final Optional<GatewayProcess> gateway;
  private final Ledger ledger;
  private final Engine engine;

  private AgentFixture(
      Path folder,
      AgentName agent,
      ProcessHost host,
      Optional<GatewayProcess> gateway,
      Ledger ledger,
      Engine engine) {
    this.folder = folder;
    this.agent = agent;
    this.host = host;
    this.gateway = gateway;
    this.ledger = ledger;
    this.engine = engine;
  }

  /** Returns the agent's home folder for a fixture in this folder. */
  static Path home(Path folder) {
    return folder.resolve("workers").resolve(WORKER.value()).resolve("home");
  }

  /** Opens a hub, which finds the running agents of an earlier hub in the same folder. */
  static AgentFixture open(Path folder, AgentName agent, AgentSettings settings)
      throws IOException {
    return open(folder, agent, settings, SandboxSpec.NONE);
  }

  /** Opens a hub whose agents run in this sandbox. */
  static AgentFixture open(
      Path folder, AgentName agent, AgentSettings settings, SandboxSpec sandbox)
      throws IOException {
    return open(folder, agent, settings, sandbox, Optional.empty());
  }

  /** Opens a hub whose agents are behind a gateway. */
  static AgentFixture behindGateway(
      Path folder, AgentName agent, AgentSettings settings, ModelAddress model) throws IOException {
    return open(folder, agent, settings, SandboxSpec.NONE, Optional.of(model));
  }

  private static AgentFixture open(
      Path folder,
      AgentName agent,
      AgentSettings settings,
      SandboxSpec sandbox,
      Optional<ModelAddress> model)
      throws IOException {
    Files.createDirectories(workspace(folder));
    ProcessHost host = ProcessHost.open();
    Optional<GatewayProcess> gateway = Optional.empty();
    Drivers direct =
        new AgentCatalogue(host, HubEnvironment.ofThisProcess()).drivers(Map.of(agent, settings));
    if (model.isPresent()) {
      GatewayFolder gatewayFolder = GatewayFolder.open(folder.resolve("gateway"));
      RouteFolder routes = RouteFolder.open(gatewayFolder.routes());
      GatewayProcess started = started(host, gatewayFolder);
      gateway = Optional.of(started);
      direct =
          direct.each(
              driver -> new GatewayDriver(driver, started, routes, host.folders(), model.get()));
    }
    Drivers drivers = direct.each(driver -> new ConfinedDriver(driver, sandbox));
    Ledger ledger = SqliteLedger.open(folder.resolve("midcourse.db"));
    Engine engine =
        Engine.start(
            engineSettings(folder), ledger, drivers, InstantSource.system(), new SecureRandom());
    return new AgentFixture(folder, agent, host, gateway, ledger, engine);
  }

  private static GatewayProcess started(ProcessHost host, GatewayFolder folder) throws IOException {
    try {
      return GatewayProcess.open(host, folder);
    } catch (InterruptedException asked) {
      Thread.currentThread().interrupt();
      throw new IOException(asked);
    }
  }

  GatewayProcess gateway() {
    return gateway.orElseThrow();
  }

  /** Returns the records of the run's requests, oldest first. */
  List<RequestRecord> requests(Run run) throws IOException {
    Path file =
        folder
            .resolve("runs")
            .resolve(run.id().value())
            .resolve("attempt-" + attempt(run).number())
            .resolve(GatewayDriver.RECORDS);
    return new RecordFile(file)
        .read().stream()
            .filter(RequestRecord.class::isInstance)
            .map(RequestRecord.class::cast)
            .toList();
  }

  /** Starts each attempt in the same sandbox. */
  private record ConfinedDriver(Driver inner, SandboxSpec sandbox) implements Driver {
    @Override
    public ProgramLookup find() {
      return inner.find();
    }

    @Override
    public Agent start(AttemptSpec spec, AgentListener listener) {
      return inner.start(spec.confined(sandbox), listener);
    }

    @Override
    public Agent attach(
        AttemptSpec spec, AgentEventBatch.OutputCheckpoint from, AgentListener listener) {
      return inner.attach(spec, from, listener);
    }

    @Override
    public Optional<Set<String>> recorded(
        AttemptSpec spec, SessionId session, Set<String> passages) {
      return inner.recorded(spec, session, passages);
    }
  }

  private static EngineSettings engineSettings(Path folder) {
    return new EngineSettings(
        HostName.of("here"),
        folder,
        50,
        Map.of(NamePattern.of(WORKER.value()), 10),
        Map.of(),
        StopTimeouts.DEFAULT,
        StallPolicy.DEFAULT,
        new RetryPolicy(Duration.ofMillis(20), Duration.ofMillis(100)),
        ProgressPolicy.DEFAULT,
        Duration.ofSeconds(20),
        Duration.ofMinutes(5),
        Duration.ofMinutes(10));
  }

  static Path workspace(Path folder) {
    return folder.resolve("workspace");
  }

  Path workspace() {
    return workspace(folder);
  }

  Engine engine() {
    return engine;
  }

  ProcessHost host() {
    return host;
  }

  Run run(String prompt) {
    return run(Optional.empty(), prompt);
  }

  Run run(Optional<RunId> id, String prompt) {
    return run(id, prompt, Optional.empty());
  }

  /** Starts a run whose agent waits this long for the next message after a turn. */
  Run lingering(String prompt, Duration linger) {
    return run(Optional.empty(), prompt, Optional.of(linger));
  }

  private Run run(Optional<RunId> id, String prompt, Optional<Duration> linger) {
    RunSpec spec =
        new RunSpec(
            prompt,
            agent,
            WORKER,
            workspace().toString(),
            PERSON,
            PendingPolicy.ALL,
            3,
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            linger);
    return engine.runs().create(new NewRun(id, spec));
  }

  SteerId steer(Run run, SteerMode mode, String text) {
    return engine
        .steering()
        .submit(run.id(), PERSON, SteerRequest.steer(text).withMode(mode))
        .receipt()
        .steerId();
  }

  /** Waits until the steer has reached the rung or has ended. */
  Receipt awaitRung(SteerId steer, Rung rung) throws InterruptedException {
    return engine.steering().await(steer, rung, TIMEOUT);
  }

  Receipt receipt(SteerId steer) {
    return Receipt.of(ledger.read(r -> r.steer(steer)).orElseThrow());
  }

  Run awaitEnd(Run run) throws InterruptedException {
    return engine.runs().awaitEnd(run.id(), TIMEOUT);
  }

  Run now(Run run) {
    return ledger.read(r -> r.run(run.id())).orElseThrow();
  }

  Attempt attempt(Run run) {
    return ledger
        .read(r -> r.attempt(run.id(), r.run(run.id()).orElseThrow().attempt()))
        .orElseThrow();
  }

  /** Returns the capabilities that the agent of this run reported. */
  Capabilities can(Run run) {
    return attempt(run).can().orElseThrow();
  }

  /** Returns whether the agent keeps a record of the session with its content. */
  boolean leavesRecord(Run run) {
    return recorded(run, Set.of()).isPresent();
  }

  /** Returns the passages that the agent's own record of the session contains. */
  Optional<Set<String>> recorded(Run run, Set<String> passages) {
    Attempt attempt = attempt(run);
    AttemptSpec order =
        new AttemptSpec(
            run.id(),
            attempt.number(),
            attempt.mark(),
            folder,
            home(folder),
            workspace(),
            Optional.empty(),
            Map.of());
    SessionId session = now(run).session().orElseThrow();
    return engine.drivers().named(agent).orElseThrow().recorded(order, session, passages);
  }

  /** Returns the run's log, oldest entry first. */
  List<Log.LogEntry> log(Run run) {
    return ledger.log().after(0, Log.Filter.of(run.id()), 10_000).entries();
  }

  List<String> kinds(Run run) {
    return log(run).stream().map(Log.LogEntry::kind).toList();
  }

  /** Returns all events of a run, for messages of failed assertions. */
  String story(Run run) {
    StringBuilder story = new StringBuilder();
    for (Log.LogEntry entry : log(run)) {
      story.append(entry.at()).append(' ').append(entry.kind()).append(' ');
      story.append(entry.json(), 0, Math.min(300, entry.json().length())).append('\n');
    }
    return story.toString();
  }

  @Override
  public void close() throws IOException {
    List<Run> live = ledger.read(r -> r.liveRuns());
    try {
      for (Run run : live) {
        engine.runs().stop(run.id(), PERSON);
        engine.runs().awaitEnd(run.id(), Duration.ofSeconds(30));
      }
      engine.close();
      endWhatIsLeft();
      if (gateway.isPresent()) {
        gateway.get().end();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      ledger.close();
      host.close();
    }
  }

  /** Ends the remaining processes, also after a failed test. */
  private void endWhatIsLeft() throws InterruptedException {
    for (Attempt attempt : ledger.read(r -> r.unclosedAttempts(HostName.of("here")))) {
      Path place =
          folder
              .resolve("runs")
              .resolve(attempt.run().value())
              .resolve("attempt-" + attempt.number());
      host.tree(new AttemptFolder(place), new ProcessMarker(attempt.mark()))
          .end(StopTimeouts.IMMEDIATE, () -> {});
    }
  }
}
