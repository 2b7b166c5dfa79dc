package dev.midcourse.proof.crash.loop;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.midcourse.agents.Drivers;
import dev.midcourse.agents.HubEnvironment;
import dev.midcourse.agents.process.ProcessHost;
import dev.midcourse.agents.process.tree.StopTimeouts;
import dev.midcourse.agents.rehearsal.RehearsalDriver;
import dev.midcourse.autopilot.CiAgent;
import dev.midcourse.autopilot.ForgePeople;
import dev.midcourse.autopilot.LookSchedule;
import dev.midcourse.autopilot.LoopOrder;
import dev.midcourse.autopilot.LoopParts;
import dev.midcourse.autopilot.LoopService;
import dev.midcourse.autopilot.forge.ForgeRegistry;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.contract.BranchName;
import dev.midcourse.core.id.AgentName;
import dev.midcourse.core.id.HostName;
import dev.midcourse.core.id.Ids;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.loop.GuidanceScope;
import dev.midcourse.core.loop.Loop;
import dev.midcourse.core.loop.LoopBudget;
import dev.midcourse.core.loop.LoopReviewer;
import dev.midcourse.core.loop.LoopSpec;
import dev.midcourse.core.loop.step.LoopCommand;
import dev.midcourse.core.steer.Author;
import dev.midcourse.core.steer.SteerText;
import dev.midcourse.core.watch.ProgressPolicy;
import dev.midcourse.core.watch.RetryPolicy;
import dev.midcourse.core.watch.StallPolicy;
import dev.midcourse.engine.Engine;
import dev.midcourse.engine.context.EngineSettings;
import dev.midcourse.engine.timer.LocalTimers;
import dev.midcourse.ledger.Ledger;
import dev.midcourse.proof.crash.hub.DrillStore;
import dev.midcourse.proof.crash.hub.Fault;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A hub with autopilot loops, for a drill that kills it. It prints {@code ready}, answers each line
 * of its input with one line when the effect is durable, and ends when its input ends.
 */
public final class LoopHub {
  private static final Author DRILL = Author.person("drill");
  private static final AgentName REHEARSAL = AgentName.of("rehearsal");
  private static final int MAX_LOOPS = 10_000;
  private static final LoopBudget BUDGET =
      new LoopBudget(50, 100, Optional.empty(), Optional.empty(), Optional.empty());

  private final Ledger ledger;
  private final LoopService loops;
  private final Path folder;

  private LoopHub(Ledger ledger, LoopService loops, Path folder) {
    this.ledger = ledger;
    this.loops = loops;
    this.folder = folder;
  }

  /** Arguments: the folder, the store, the fault. */
  public static void main(String[] args) throws IOException {
    Path folder = Path.of(args[0]);
    PrintStream out = new PrintStream(System.out, true, UTF_8);
    FaultyLoopParts faulty =
        new FaultyLoopParts(Fault.of(LoopFaultPoint.class, args[2], out::println));
    Ledger ledger = faulty.ledger(DrillStore.of(args[1]).open(folder));
    ProcessHost host = ProcessHost.open();
    SecureRandom random = new SecureRandom();
    Engine engine =
        Engine.start(
            settings(folder),
            ledger,
            Drivers.of(
                Map.of(
                    REHEARSAL,
                    new RehearsalDriver(host),
                    CiAgent.NAME,
                    CiAgent.driver(host, HubEnvironment.ofThisProcess()))),
            InstantSource.system(),
            random);
    LoopService loops =
        new LoopService(
            new LoopParts(
                ledger,
                engine.runs(),
                engine.steering(),
                new LocalTimers(InstantSource.system()),
                InstantSource.system(),
                new Ids(random),
                HostName.of("drill"),
                folder.resolve("loops"),
                ForgeRegistry.none(),
                ForgePeople.NOBODY,
                LookSchedule.DEFAULT));
    loops.start();
    out.println("ready");
    new LoopHub(ledger, loops, folder).serve(out);
    loops.close();
    engine.close();
    System.exit(0);
  }

  private static EngineSettings settings(Path folder) {
    return new EngineSettings(
        HostName.of("drill"),
        folder,
        200,
        Map.of(),
        Map.of(),
        StopTimeouts.DEFAULT,
        StallPolicy.DEFAULT,
        new RetryPolicy(Duration.ofMillis(50), Duration.ofMillis(400)),
        ProgressPolicy.DEFAULT,
        Duration.ofMillis(20),
        Duration.ofMinutes(5),
        Duration.ofMinutes(5));
  }

  private void serve(PrintStream out) throws IOException {
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      String[] words = line.split(" ", 4);
      Thread.startVirtualThread(() -> out.println(answer(words)));
    }
  }

  private String answer(String[] words) {
    try {
      return switch (words[0]) {
        case "create" -> create(words[1], words[2], words[3].replace('|', '\n'));
        case "guide" -> guide(words[1], words[2], words[3].replace('|', '\n'));
        case "quiet" -> "quiet " + unended();
        default -> "what " + words[0];
      };
    } catch (RefusedException refused) {
      return "refused " + words[1] + " " + words[2];
    }
  }

  private long unended() {
    return ledger.read(reading -> reading.loops().unended()).size();
  }

  private Optional<Loop> ofBranch(String branch) {
    return ledger.read(reading -> reading.loops().newest(MAX_LOOPS)).stream()
        .filter(it -> it.spec().branch().value().equals(branch))
        .findFirst();
  }

  /** The branch is the key: the same order again has no second effect. */
  private String create(String branch, String reviewer, String prompt) {
    if (ofBranch(branch).isEmpty()) {
      Loop _ =
          loops.create(
              new LoopOrder(
                  prompt,
                  folder.resolve("shop"),
                  Optional.of(BranchName.of("main")),
                  Optional.of(BranchName.of(branch)),
                  EngineSettings.ANY_WORKER,
                  REHEARSAL,
                  LoopReviewer.parse(reviewer),
                  Optional.of("sh " + folder.resolve("ci.sh")),
                  LoopSpec.DEFAULT_REVIEW_TIMEOUT,
                  LoopSpec.DEFAULT_CI_TIMEOUT,
                  BUDGET,
                  true,
                  Optional.empty()),
              DRILL);
    }
    return "created " + branch;
  }

  private String guide(String branch, String steer, String scopeAndText) {
    List<String> parts = List.of(scopeAndText.split(" ", 2));
    Loop loop = ofBranch(branch).orElseThrow();
    Loop _ =
        loops.apply(
            loop.id(),
            new LoopCommand.Guide(
                DRILL,
                SteerId.of(steer),
                GuidanceScope.parse(parts.getFirst()),
                SteerText.of(parts.getLast())));
    return "guided " + branch + " " + steer;
  }
}
