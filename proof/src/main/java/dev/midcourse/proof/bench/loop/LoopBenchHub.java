package dev.midcourse.proof.bench.loop;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.midcourse.agents.AgentSettings;
import dev.midcourse.agents.Drivers;
import dev.midcourse.agents.HubEnvironment;
import dev.midcourse.agents.command.CommandDefinition;
import dev.midcourse.agents.process.ProcessHost;
import dev.midcourse.agents.process.tree.StopTimeouts;
import dev.midcourse.agents.stdio.StdioDriver;
import dev.midcourse.autopilot.CiAgent;
import dev.midcourse.autopilot.ForgePeople;
import dev.midcourse.autopilot.LookSchedule;
import dev.midcourse.autopilot.LoopOrder;
import dev.midcourse.autopilot.LoopParts;
import dev.midcourse.autopilot.LoopService;
import dev.midcourse.autopilot.forge.ForgeRegistry;
import dev.midcourse.core.contract.BranchName;
import dev.midcourse.core.id.AgentName;
import dev.midcourse.core.id.HostName;
import dev.midcourse.core.id.Ids;
import dev.midcourse.core.id.LoopId;
import dev.midcourse.core.loop.Loop;
import dev.midcourse.core.loop.LoopBudget;
import dev.midcourse.core.loop.LoopReviewer;
import dev.midcourse.core.loop.LoopSpec;
import dev.midcourse.core.steer.Author;
import dev.midcourse.core.watch.ProgressPolicy;
import dev.midcourse.core.watch.RetryPolicy;
import dev.midcourse.core.watch.StallPolicy;
import dev.midcourse.engine.Engine;
import dev.midcourse.engine.context.EngineSettings;
import dev.midcourse.engine.timer.LocalTimers;
import dev.midcourse.ledger.Ledger;
import dev.midcourse.ledger.sql.SqliteLedger;
import dev.midcourse.proof.bench.fixture.Folders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A hub with loops on a real SQLite file and a real repository. Agent and CI are shell scripts that
 * note when they begin and when they end.
 */
final class LoopBenchHub implements AutoCloseable {
  static final AgentName AGENT = AgentName.of("script");
  static final Author AUTHOR = Author.person("bench");
  static final HostName HOST = HostName.of("bench");

  /** Commits something new and answers each finding. */
  private static final String WORKER =
      """
      echo "agent-began $(date +%s%N)" >> NOTES
      date +%s%N > app.txt
      git add -A
      git -c user.name=B -c user.email=b@localhost commit -qm work
      printf '<answers>{"findings":['
      sed -n 's/.*"id": "\\(F[0-9]*\\)", "answer".*/{"id":"\\1","answer":"fixed"}/p' "$1" | paste -sd, - | tr -d '\\n'
      printf ']}</answers>\\n'
      echo "agent-ended $(date +%s%N)" >> NOTES
      """;

  /**
   * Is red with two new findings, then with one, so that the loop neither comes to its end nor asks
   * because nothing gets better.
   */
  private static final String CI =
      """
      now=$(date +%s%N)
      echo "ci-began $now" >> NOTES
      echo "::error::finding $now"
      count=$(grep -c ci-began NOTES)
      [ $((count % 2)) = 0 ] || echo "::error::other $now"
      echo "ci-ended $(date +%s%N)" >> NOTES
      exit 1
      """;

  private final Path folder;
  private final ProcessHost host = ProcessHost.open();
  private final InstantSource clock = InstantSource.system();
  private final SecureRandom random = new SecureRandom();
  private final LocalTimers timers = new LocalTimers(clock);
  private final Ledger ledger;
  private final Engine engine;
  private LoopService loops;

  LoopBenchHub() throws IOException, InterruptedException {
    folder = Folders.make().toRealPath();
    ledger = SqliteLedger.open(folder.resolve("midcourse.db"));
    Path repository = Files.createDirectories(repository());
    Process git =
        new ProcessBuilder(
                "sh",
                "-ec",
                "git init -q -b main; git -c user.name=B -c user.email=b@localhost commit -q"
                    + " --allow-empty -m start")
            .directory(repository.toFile())
            .start();
    if (git.waitFor() != 0) {
      throw new IOException(
          "no repository: " + new String(git.getErrorStream().readAllBytes(), UTF_8));
    }
    Files.writeString(folder.resolve("worker.sh"), WORKER.replace("NOTES", notes().toString()));
    Files.writeString(folder.resolve("ci.sh"), CI.replace("NOTES", notes().toString()));
    Files.createFile(notes());
    engine = Engine.start(settings(), ledger, drivers(), clock, random);
    loops = service();
    loops.start();
  }

  private Drivers drivers() {
    HubEnvironment environment = HubEnvironment.ofThisProcess();
    AgentSettings worker =
        AgentSettings.defaults()
            .withDriver("command")
            .withCommand("/bin/sh")
            .withArguments(List.of(folder.resolve("worker.sh").toString()))
            .withPrompt(AgentSettings.PromptBy.FILE);
    return Drivers.of(
        Map.of(
            AGENT,
            new StdioDriver(host, new CommandDefinition(worker, environment)),
            CiAgent.NAME,
            CiAgent.driver(host, environment)));
  }

  private EngineSettings settings() {
    return new EngineSettings(
        HOST,
        folder.resolve("data"),
        200,
        Map.of(),
        Map.of(),
        StopTimeouts.DEFAULT,
        StallPolicy.DEFAULT,
        RetryPolicy.DEFAULT,
        ProgressPolicy.DEFAULT,
        Duration.ofSeconds(10),
        Duration.ofMinutes(5),
        Duration.ofMinutes(30));
  }

  private LoopService service() {
    return new LoopService(
        new LoopParts(
            ledger,
            engine.runs(),
            engine.steering(),
            timers,
            clock,
            new Ids(random),
            HOST,
            folder.resolve("loops"),
            ForgeRegistry.none(),
            ForgePeople.NOBODY,
            LookSchedule.DEFAULT));
  }

  /** Ends the service of loops and starts it again, as a new hub does. */
  void restartLoops() {
    loops.close();
    loops = service();
    loops.start();
  }

  Path repository() {
    return folder.resolve("shop");
  }

  /** The file with a line for each beginning and end of an agent and of CI. */
  Path notes() {
    return folder.resolve("notes");
  }

  Ledger ledger() {
    return ledger;
  }

  LoopService loops() {
    return loops;
  }

  /** Starts a loop that is fixed so often, and then asks. */
  Loop start(String branch, int fixes) {
    return loops.create(
        new LoopOrder(
            "Do it.",
            repository(),
            Optional.of(BranchName.of("main")),
            Optional.of(BranchName.of(branch)),
            EngineSettings.ANY_WORKER,
            AGENT,
            new LoopReviewer.Nobody(),
            Optional.of("sh " + folder.resolve("ci.sh")),
            LoopSpec.DEFAULT_REVIEW_TIMEOUT,
            LoopSpec.DEFAULT_CI_TIMEOUT,
            new LoopBudget(fixes, 100, Optional.empty(), Optional.empty(), Optional.empty()),
            false,
            Optional.empty()),
        AUTHOR);
  }

  Loop now(LoopId id) {
    return ledger.read(reading -> reading.loops().loop(id)).orElseThrow();
  }

  @Override
  public void close() throws IOException {
    loops.close();
    timers.close();
    engine.close();
    ledger.close();
    host.close();
    Folders.delete(folder);
  }
}
