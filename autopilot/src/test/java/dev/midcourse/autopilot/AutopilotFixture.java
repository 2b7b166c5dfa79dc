package dev.midcourse.autopilot;

import static org.awaitility.Awaitility.await;

import dev.midcourse.agents.AgentSettings;
import dev.midcourse.agents.Driver;
import dev.midcourse.agents.Drivers;
import dev.midcourse.agents.HubEnvironment;
import dev.midcourse.agents.command.CommandDefinition;
import dev.midcourse.agents.process.ProcessHost;
import dev.midcourse.agents.process.tree.StopTimeouts;
import dev.midcourse.agents.rehearsal.RehearsalDriver;
import dev.midcourse.agents.stdio.StdioDriver;
import dev.midcourse.autopilot.forge.ForgeRegistry;
import dev.midcourse.core.contract.BranchName;
import dev.midcourse.core.id.AgentName;
import dev.midcourse.core.id.HostName;
import dev.midcourse.core.id.Ids;
import dev.midcourse.core.id.LoopId;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.loop.GuidanceScope;
import dev.midcourse.core.loop.Loop;
import dev.midcourse.core.loop.LoopBudget;
import dev.midcourse.core.loop.LoopPhase;
import dev.midcourse.core.loop.LoopReviewer;
import dev.midcourse.core.loop.LoopSpec;
import dev.midcourse.core.loop.ParkReason;
import dev.midcourse.core.loop.step.LoopCommand;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.steer.Author;
import dev.midcourse.core.steer.SteerText;
import dev.midcourse.core.watch.ProgressPolicy;
import dev.midcourse.core.watch.RetryPolicy;
import dev.midcourse.core.watch.StallPolicy;
import dev.midcourse.engine.Engine;
import dev.midcourse.engine.context.EngineSettings;
import dev.midcourse.engine.timer.LocalTimers;
import dev.midcourse.ledger.Ledger;
import dev.midcourse.ledger.sql.SqliteLedger;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.awaitility.Awaitility;

/**
 * A hub with loops: a real ledger, real agents of other processes, and a real git repository. The
 * agent {@code rehearsal} works; the agent {@code critic} is a shell script of the test.
 */
final class AutopilotFixture implements AutoCloseable {
  static final Author ANNA = Author.person("terminal");
  static final AgentName CRITIC = AgentName.of("critic");

  static {
    Awaitility.setDefaultPollInterval(Duration.ofMillis(20));
    Awaitility.setDefaultTimeout(Duration.ofMinutes(2));
  }

  final Path folder;
  final Path repository;
  private final Path critic;
  private final ProcessHost host;
  private final SecureRandom random = new SecureRandom();
  private static final LookSchedule LOOKS =
      new LookSchedule(
          Duration.ofMillis(50), Duration.ofMinutes(2), Duration.ofMillis(200), Duration.ZERO);

  ForgeRegistry forges = ForgeRegistry.none();
  ForgePeople people = ForgePeople.NOBODY;
  Ledger ledger;
  Engine engine;
  LoopService loops;
  private LocalTimers timers;

  AutopilotFixture(Path folder) throws IOException {
    this.folder = folder.toRealPath();
    this.repository = this.folder.resolve("shop");
    this.critic = this.folder.resolve("critic.sh");
    this.host = ProcessHost.open();
    Files.createDirectories(repository);
    sh(repository, "git init -q -b main");
    commit("README", "hello\n");
    open();
  }

  void open() {
    ledger = SqliteLedger.open(folder.resolve("midcourse.db"));
    InstantSource clock = InstantSource.system();
    engine = Engine.start(settings(), ledger, drivers(), clock, random);
    timers = new LocalTimers(clock);
    loops =
        new LoopService(
            new LoopParts(
                ledger,
                engine.runs(),
                engine.steering(),
                timers,
                clock,
                new Ids(random),
                HostName.of("here"),
                folder.resolve("loops"),
                forges,
                people,
                LOOKS));
    loops.start();
  }

  private EngineSettings settings() {
    return new EngineSettings(
        HostName.of("here"),
        folder.resolve("data"),
        50,
        Map.of(),
        Map.of(),
        StopTimeouts.DEFAULT,
        StallPolicy.DEFAULT,
        new RetryPolicy(Duration.ofMillis(20), Duration.ofMillis(100)),
        ProgressPolicy.DEFAULT,
        Duration.ofSeconds(20),
        Duration.ofMinutes(5),
        Duration.ofMinutes(10));
  }

  private Drivers drivers() {
    HubEnvironment environment = HubEnvironment.ofThisProcess();
    AgentSettings settings =
        AgentSettings.defaults()
            .withDriver("command")
            .withCommand("/bin/sh")
            .withArguments(List.of(critic.toString()))
            .withPrompt(AgentSettings.PromptBy.FILE);
    Driver reviews = new StdioDriver(host, new CommandDefinition(settings, environment));
    return Drivers.of(
        Map.of(
            AgentName.of("rehearsal"),
            new RehearsalDriver(host),
            CRITIC,
            reviews,
            CiAgent.NAME,
            CiAgent.driver(host, environment)));
  }

  /** As at the end of a hub; its agents go on. */
  void closeHub() {
    loops.close();
    timers.close();
    engine.close();
    ledger.close();
  }

  void restartHub() {
    closeHub();
    open();
  }

  @Override
  public void close() {
    for (Run run : ledger.read(reading -> reading.liveRuns())) {
      engine.runs().stop(run.id(), ANNA);
    }
    await().until(() -> ledger.read(reading -> reading.liveRuns()).isEmpty());
    closeHub();
    host.close();
  }

  // ---- the repository

  static String sh(Path dir, String script) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder("sh", "-ec", script).directory(dir.toFile()).redirectErrorStream(true);
    builder.environment().put("GIT_AUTHOR_NAME", "Anna");
    builder.environment().put("GIT_AUTHOR_EMAIL", "anna@localhost");
    builder.environment().put("GIT_COMMITTER_NAME", "Anna");
    builder.environment().put("GIT_COMMITTER_EMAIL", "anna@localhost");
    Process process = builder.start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      if (process.waitFor() != 0) {
        throw new IOException(script + " failed: " + out);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return out.strip();
  }

  /** Commits a file on the branch that is checked out in the repository. */
  String commit(String file, String text) throws IOException {
    Path path = repository.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text);
    sh(repository, "git add -A; git commit -q -m 'change " + file + "'");
    return sh(repository, "git rev-parse HEAD");
  }

  String git(String arguments) throws IOException {
    return sh(repository, "git " + arguments);
  }

  /** The script of the reviewing agent; its first argument is the file with its prompt. */
  void critic(String script) throws IOException {
    Files.writeString(
        critic,
        """
        head=$(sed -n 's/.*"head": "\\([0-9a-f]*\\)".*/\\1/p' "$1" | tail -n 1)
        say() { printf '<review>{"head": "%s", %s}</review>\\n' "$head" "$1"; }
        """
            + script);
  }

  // ---- loops

  LoopOrder order(String prompt, LoopReviewer reviewer, Optional<String> ci) {
    return new LoopOrder(
        prompt,
        repository,
        Optional.empty(),
        Optional.of(BranchName.of("work")),
        EngineSettings.ANY_WORKER,
        AgentName.of("rehearsal"),
        reviewer,
        ci,
        LoopSpec.DEFAULT_REVIEW_TIMEOUT,
        LoopSpec.DEFAULT_CI_TIMEOUT,
        LoopBudget.DEFAULT,
        false,
        Optional.empty());
  }

  /** A line of a prompt in which the rehearsal agent writes and commits a file. */
  static String commits(String file, String text) {
    return "$ printf '%s\\n' > %s; git add -A; git -c user.name=R -c user.email=r@localhost commit -q -m 'write %s'"
        .formatted(text, file, file);
  }

  Loop now(Loop loop) {
    return now(loop.id());
  }

  Loop now(LoopId id) {
    return ledger.read(reading -> reading.loops().loop(id)).orElseThrow();
  }

  Loop awaitPhase(Loop loop, LoopPhase phase) {
    await()
        .until(() -> {
          Loop now = now(loop);
          return now.phase() == phase
              || (now.phase() == LoopPhase.PARKED && phase != LoopPhase.PARKED)
              || now.phase().hasEnded();
        });
    Loop now = now(loop);
    if (now.phase() != phase) {
      throw new AssertionError("expected " + phase + ", but it is " + described(now));
    }
    return now;
  }

  Loop awaitParked(Loop loop, ParkReason reason) {
    Loop now = awaitPhase(loop, LoopPhase.PARKED);
    if (now.parking().orElseThrow().reason() != reason) {
      throw new AssertionError("expected " + reason + ", but it is " + described(now));
    }
    return now;
  }

  private static String described(Loop loop) {
    return loop.phase() + " " + loop.parking() + " " + loop.result() + "; calls " + loop.calls();
  }

  Run run(RunId id) {
    return ledger.read(reading -> reading.run(id)).orElseThrow();
  }

  SteerId steer(Loop loop, GuidanceScope scope, String text) {
    SteerId id = new Ids(random).steer();
    Loop _ = loops.apply(loop.id(), new LoopCommand.Guide(ANNA, id, scope, SteerText.of(text)));
    return id;
  }

  Loop apply(Loop loop, LoopCommand command) {
    return loops.apply(loop.id(), command);
  }
}
