package dev.midcourse.engine;

import static org.awaitility.Awaitility.await;

import dev.midcourse.agents.Driver;
import dev.midcourse.agents.Drivers;
import dev.midcourse.agents.process.tree.StopTimeouts;
import dev.midcourse.core.id.AgentName;
import dev.midcourse.core.id.HostName;
import dev.midcourse.core.id.Ids;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.RunSpec;
import dev.midcourse.core.run.RunState;
import dev.midcourse.core.steer.Author;
import dev.midcourse.core.steer.PendingPolicy;
import dev.midcourse.core.steer.Receipt;
import dev.midcourse.core.steer.Rung;
import dev.midcourse.core.steer.Steer;
import dev.midcourse.core.steer.SteerMode;
import dev.midcourse.core.steer.SteerRequest;
import dev.midcourse.core.watch.ProgressPolicy;
import dev.midcourse.core.watch.RetryPolicy;
import dev.midcourse.core.watch.StallPolicy;
import dev.midcourse.engine.context.AgentQuota;
import dev.midcourse.engine.context.EngineContext;
import dev.midcourse.engine.context.EngineSettings;
import dev.midcourse.ledger.Ledger;
import dev.midcourse.ledger.Log;
import dev.midcourse.ledger.sql.SqliteLedger;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.awaitility.Awaitility;

/** A ledger and an engine in a temporary folder, with short methods for frequent steps. */
public final class EngineFixture implements AutoCloseable {
  public static final Author PERSON = Author.person("test");
  public static final int MAX_ATTEMPTS = 5;

  static {
    Awaitility.setDefaultPollInterval(Duration.ofMillis(5));
    Awaitility.setDefaultPollDelay(Duration.ZERO);
    Awaitility.setDefaultTimeout(Duration.ofMinutes(1));
  }

  public final Ledger ledger;
  private final EngineSettings settings;
  private final Driver driver;
  private final InstantSource clock;
  private final SecureRandom random;
  private Engine engine;

  public EngineFixture(Path folder, Driver driver) {
    this(folder, driver, InstantSource.system(), StallPolicy.DEFAULT);
  }

  public EngineFixture(Path folder, Driver driver, InstantSource clock, StallPolicy stallPolicy) {
    this(folder, driver, clock, stallPolicy, AgentQuota.NONE);
  }

  public EngineFixture(
      Path folder, Driver driver, InstantSource clock, StallPolicy stallPolicy, AgentQuota bounds) {
    this(folder, driver, clock, stallPolicy, bounds, new SecureRandom());
  }

  public EngineFixture(
      Path folder,
      Driver driver,
      InstantSource clock,
      StallPolicy stallPolicy,
      AgentQuota bounds,
      SecureRandom random) {
    this.random = random;
    this.driver = driver;
    this.clock = clock;
    this.ledger = SqliteLedger.open(folder.resolve("midcourse.db"));
    this.settings = settings(folder, stallPolicy, bounds, ProgressPolicy.DEFAULT);
    this.engine = open();
  }

  private static EngineSettings settings(
      Path folder, StallPolicy stallPolicy, AgentQuota bounds, ProgressPolicy progress) {
    return new EngineSettings(
        HostName.of("here"),
        folder,
        50,
        Map.of(),
        Map.of(AgentName.of("puppet"), bounds),
        StopTimeouts.DEFAULT,
        stallPolicy,
        new RetryPolicy(Duration.ofMillis(20), Duration.ofMillis(100)),
        progress,
        Duration.ofMillis(400),
        Duration.ofSeconds(20),
        Duration.ofMinutes(2));
  }

  private Engine open() {
    return Engine.start(settings, ledger, drivers(), clock, random);
  }

  private Drivers drivers() {
    return Drivers.of(Map.of(AgentName.of("puppet"), driver));
  }

  /** What another engine on this ledger works with, with another gate for progress. */
  public EngineContext parts(ProgressPolicy progress) {
    EngineSettings other =
        settings(
            settings.folder(),
            settings.stallPolicy(),
            settings.bounds(AgentName.of("puppet")),
            progress);
    return new EngineContext(ledger, drivers(), other, clock, new Ids(random));
  }

  public Engine engine() {
    return engine;
  }

  /** As after an orderly end of the hub: agents live on, the next engine finds them. */
  public void restartHub() {
    engine.close();
    engine = open();
  }

  public Run run(String prompt) {
    return run(prompt, PendingPolicy.ALL, EngineSettings.ANY_WORKER);
  }

  public Run run(String prompt, PendingPolicy policy, WorkerName worker) {
    return run(prompt, policy, worker, Optional.empty());
  }

  /** A run whose agent waits this long for the next message after a turn. */
  public Run lingering(String prompt, WorkerName worker, Duration linger) {
    return run(prompt, PendingPolicy.ALL, worker, Optional.of(linger));
  }

  private Run run(
      String prompt, PendingPolicy policy, WorkerName worker, Optional<Duration> linger) {
    RunSpec spec =
        new RunSpec(
            prompt,
            AgentName.of("puppet"),
            worker,
            settings.folder().toString(),
            PERSON,
            policy,
            MAX_ATTEMPTS,
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            linger);
    return engine.runs().create(new NewRun(Optional.empty(), spec));
  }

  public Receipt steer(Run run, String text) {
    return steer(run, text, SteerMode.STEER);
  }

  public Receipt steer(Run run, String text, SteerMode mode) {
    return engine
        .steering()
        .submit(run.id(), PERSON, SteerRequest.steer(text).withMode(mode))
        .receipt();
  }

  public Receipt receipt(SteerId id) {
    return Receipt.of(ledger.read(r -> r.steer(id)).orElseThrow());
  }

  public Receipt awaitRung(SteerId id, Rung rung) {
    await().until(() -> receipt(id).settledAt(rung));
    return receipt(id);
  }

  public Receipt awaitEnd(SteerId id) {
    await().until(() -> receipt(id).ended().isPresent());
    return receipt(id);
  }

  public Run now(RunId id) {
    return ledger.read(r -> r.run(id)).orElseThrow();
  }

  /** Waits until the run is in this state, and the log shows its readers how it got there. */
  public Run awaitState(RunId id, RunState state) {
    await().until(() -> now(id).state() == state);
    // The log shows a commit a moment after the state can be read, and before the next commit.
    boolean _ = ledger.write(tx -> true);
    return now(id);
  }

  public List<Steer> open(RunId id) {
    return ledger.read(r -> r.openSteers(id));
  }

  public List<String> kinds(RunId id) {
    return ledger.log().after(0, Log.Filter.of(id), 10_000).entries().stream()
        .map(Log.LogEntry::kind)
        .toList();
  }

  @Override
  public void close() {
    engine.close();
    ledger.close();
  }
}
