package dev.midcourse.proof.crash.hub;

import dev.midcourse.agents.Drivers;
import dev.midcourse.agents.process.ProcessHost;
import dev.midcourse.agents.process.tree.StopTimeouts;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.event.RunEvent;
import dev.midcourse.core.id.AgentName;
import dev.midcourse.core.id.HostName;
import dev.midcourse.core.id.IdempotencyKey;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.id.SteerReference;
import dev.midcourse.core.run.RunSpec;
import dev.midcourse.core.steer.Author;
import dev.midcourse.core.steer.OnUnsupported;
import dev.midcourse.core.steer.PendingPolicy;
import dev.midcourse.core.steer.SteerMode;
import dev.midcourse.core.steer.SteerRequest;
import dev.midcourse.core.steer.SteerText;
import dev.midcourse.core.watch.ProgressPolicy;
import dev.midcourse.core.watch.RetryPolicy;
import dev.midcourse.core.watch.StallPolicy;
import dev.midcourse.engine.Engine;
import dev.midcourse.engine.NewRun;
import dev.midcourse.engine.SteerService.SubmitResult;
import dev.midcourse.engine.context.EngineSettings;
import dev.midcourse.ledger.Ledger;
import dev.midcourse.ledger.Log;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A hub process for drills that can be killed, or that ends by itself at a fault point: engine,
 * ledger and real rehearsal agents. Standard input and output are its only interface. Each input
 * line gets one output line, which is printed only when the effect is durable.
 */
public final class CrashHub {
  private static final Author DRILL = Author.person("drill");

  /** Very short, so that the fate of a steer does not depend on the speed of an agent. */
  private static final Duration SETTLE = Duration.ofMillis(20);

  private final Engine engine;
  private final Path folder;
  private final PrintStream out;
  private final Set<String> beginning = ConcurrentHashMap.newKeySet();

  private CrashHub(Engine engine, Path folder, PrintStream out) {
    this.engine = engine;
    this.folder = folder;
    this.out = out;
  }

  /**
   * Arguments: the folder, the store, the fault, and the log position up to which ends of runs are
   * known.
   */
  public static void main(String[] args) throws IOException {
    Path folder = Path.of(args[0]);
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    FaultyParts faulty = new FaultyParts(Fault.of(FaultPoint.class, args[2], out::println));
    Ledger ledger = faulty.ledger(DrillStore.of(args[1]).open(folder));
    Drivers drivers = Drivers.of(DrillAgent.drivers(ProcessHost.open(), faulty::driver));
    Engine engine =
        Engine.start(settings(folder), ledger, drivers, InstantSource.system(), new SecureRandom());
    out.println("ready " + engine.attended().size());
    CrashHub hub = new CrashHub(engine, folder, out);
    long endsKnownTo = Long.parseLong(args[3]);
    Thread.ofVirtual().start(() -> hub.tellEnds(endsKnownTo));
    hub.serve();
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
        SETTLE,
        Duration.ofMinutes(5),
        Duration.ofMinutes(2));
  }

  private void serve() throws IOException {
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      String[] words = line.split(" ", 4);
      Thread.startVirtualThread(() -> answer(words));
    }
    engine.close();
  }

  /**
   * Prints the end and each idle time of every run and its position in the log, also of runs that
   * ended before this hub started.
   */
  private void tellEnds(long from) {
    Log log = engine.ledger().log();
    Log.Filter ends = Log.Filter.of(RunEvent.RunEnded.class, RunEvent.Idle.class);
    long cursor = from;
    try {
      while (true) {
        try {
          Log.Page page = log.await(cursor, ends, 1_000, Duration.ofMinutes(1));
          for (Log.LogEntry entry : page.entries()) {
            String what = entry.event() instanceof RunEvent.Idle ? "idle " : "ended ";
            out.println(what + entry.run() + " " + entry.cursor());
          }
          cursor = page.next();
        } catch (RefusedException unavailable) {
          Thread.sleep(100);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void answer(String[] words) {
    try {
      switch (words[0]) {
        case "run" -> run(words[1], words[2], words[3]);
        case "steer" -> steer(words[1], words[2], words[3]);
        case "stop" -> stop(words[1]);
        case "withdraw" -> withdraw(words[1]);
        case "edit" -> edit(words[1], words[2] + " " + words[3]);
        default -> out.println("what " + words[0]);
      }
    } catch (RefusedException refused) {
      String name = words[0].equals("steer") ? words[2] : words[1];
      out.println("refused " + words[0] + " " + name + " " + refused.problem().code().wire());
    }
  }

  /**
   * {@code run ID AGENT[/POLICY[/LINGER]] PROMPT}, lines of the prompt separated by a vertical bar;
   * the linger in milliseconds, 0 for none. A known run is not changed, also if two lines arrive at
   * once; otherwise a stopped run would start again.
   */
  private void run(String id, String agent, String prompt) {
    if (!beginning.add(id)) {
      return;
    }
    try {
      if (engine.ledger().read(reading -> reading.run(RunId.of(id))).isEmpty()) {
        engine.runs().create(new NewRun(Optional.of(RunId.of(id)), spec(agent, prompt)));
      }
    } finally {
      beginning.remove(id);
    }
    out.println("queued " + id);
  }

  private RunSpec spec(String agentAndPolicy, String prompt) {
    List<String> words = List.of(agentAndPolicy.split("/", 3));
    Optional<Duration> linger =
        words.stream()
            .skip(2)
            .findFirst()
            .map(Long::valueOf)
            .map(Duration::ofMillis)
            .filter(Duration::isPositive);
    PendingPolicy policy =
        words.stream().skip(1).findFirst().map(PendingPolicy::parse).orElse(PendingPolicy.ALL);
    return new RunSpec(
        prompt.replace('|', '\n'),
        AgentName.of(words.getFirst()),
        EngineSettings.ANY_WORKER,
        folder.toString(),
        DRILL,
        policy,
        100,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        linger);
  }

  /** {@code steer RUN KEY MODE:TEXT}, or {@code MODE/OLDER:TEXT} to replace an older steer. */
  private void steer(String run, String key, String modeAndText) {
    List<String> parts = List.of(modeAndText.split(":", 2));
    List<String> mode = List.of(parts.getFirst().split("/", 2));
    SteerRequest request =
        new SteerRequest(
            SteerText.of(parts.get(1)),
            SteerMode.parse(mode.getFirst()),
            Optional.of(IdempotencyKey.of(key)),
            Optional.empty(),
            Optional.empty(),
            OnUnsupported.DEGRADE,
            mode.stream().skip(1).findFirst().map(SteerReference::of));
    SubmitResult stored = engine.steering().submit(RunId.of(run), DRILL, request);
    out.println("stored " + key + " " + stored.receipt().steerId());
  }

  private void stop(String run) {
    engine.runs().stop(RunId.of(run), DRILL);
    out.println("stopping " + run);
  }

  private void withdraw(String steer) {
    engine.steering().withdraw(SteerId.of(steer), "the drill thought better of it");
    out.println("withdrawn " + steer);
  }

  private void edit(String steer, String text) {
    engine.steering().edit(SteerId.of(steer), SteerText.of(text));
    out.println("edited " + steer);
  }
}
