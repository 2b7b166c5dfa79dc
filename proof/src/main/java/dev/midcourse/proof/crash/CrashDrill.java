package dev.midcourse.proof.crash;

import dev.midcourse.core.steer.PendingPolicy;
import dev.midcourse.ledger.Ledger;
import dev.midcourse.proof.crash.check.Checker;
import dev.midcourse.proof.crash.check.DrillRecord;
import dev.midcourse.proof.crash.check.RunEvidence;
import dev.midcourse.proof.crash.hub.DrillAgent;
import dev.midcourse.proof.crash.hub.DrillProcesses;
import dev.midcourse.proof.crash.hub.DrillStore;
import dev.midcourse.proof.crash.hub.FaultPoint;
import dev.midcourse.proof.crash.hub.HubClasses;
import dev.midcourse.proof.crash.hub.HubProcess;
import dev.midcourse.proof.crash.hub.StoreServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Sends steers to rehearsal runs while the hub is killed with SIGKILL, at random or at fault
 * points. A drill may also kill the server of its ledger, with or without the hub. It stops some
 * runs, withdraws, edits and replaces some steers, and kills some agents. It sends every unanswered
 * steer again with the same key. At the end an independent checker decides. All random choices come
 * from one seed.
 */
public final class CrashDrill {
  /**
   * The size of a drill. At fault points, the drill sends as many steers as it needs to reach the
   * points.
   */
  public record Extent(long seed, int kills, int steers, int runsAtOnce) {}

  /** A drill that takes longer is considered hung. */
  private static final Duration MAX_REST = Duration.ofMinutes(20);

  /** From this number of kills on, the classes of the hubs are prepared first. */
  private static final int MIN_KILLS_TO_PREPARE = 50;

  private static final Duration MAX_FOR_ONE_KILL = Duration.ofSeconds(10);

  /** The time limit for a hub to reach its fault point. */
  private static final Duration UNTIL_FAULT = Duration.ofSeconds(15);

  /** Prefix of the name of the file that lets a run end. */
  private static final String END_FILE_PREFIX = "over-";

  private static final List<DrillAgent> AGENTS = List.of(DrillAgent.values());

  private final Extent extent;
  private final Path folder;
  private final DrillStore store;
  private final List<FaultPoint> points;
  private final Optional<StoreServer> server;
  private final Map<FaultPoint, Integer> faults = new ConcurrentHashMap<>();
  private Optional<FaultPoint> tried = Optional.empty();
  private final Random random;
  private final DrillRequests requests = new DrillRequests();
  private final Map<String, String> runs = new LinkedHashMap<>();

  /** The runs that receive steers, and how many more steers each receives. */
  private final Map<String, Integer> live = new LinkedHashMap<>();

  private final Set<String> leaving = new HashSet<>();
  private final Set<String> ended = ConcurrentHashMap.newKeySet();

  /** Hubs have reported every run that ended up to this position of the log. */
  private volatile long endsKnownTo;

  private final DrillProcesses processes;
  private Optional<HubProcess> newest = Optional.empty();
  private HubClasses classes = HubClasses.asBuilt();

  /** Creates a drill with random kills. */
  public CrashDrill(Extent extent, Path folder, DrillStore store) {
    this(extent, folder, store, List.of(), Optional.empty());
  }

  /** Creates a drill that kills the server of the ledger. */
  public CrashDrill(Extent extent, Path folder, StoreServer server) {
    this(extent, folder, server.store(), List.of(), Optional.of(server));
  }

  /** Creates a drill whose hubs end at these points, in turn. */
  public CrashDrill(Extent extent, Path folder, DrillStore store, List<FaultPoint> points) {
    this(extent, folder, store, points, Optional.empty());
  }

  private CrashDrill(
      Extent extent,
      Path folder,
      DrillStore store,
      List<FaultPoint> points,
      Optional<StoreServer> server) {
    this.server = server;
    this.extent = extent;
    this.folder = folder;
    this.store = store;
    this.points = List.copyOf(points);
    this.random = new Random(extent.seed());
    this.processes = new DrillProcesses("drill-" + extent.seed() + "-");
  }

  /** Runs the drill. On every path it ends its processes, so that the next drill finds none. */
  public Findings run() throws IOException, InterruptedException {
    try {
      return drill();
    } finally {
      if (newest.isPresent()) {
        newest.get().kill();
      }
      processes.alive().forEach(ProcessHandle::destroyForcibly);
    }
  }

  private Findings drill() throws IOException, InterruptedException {
    Instant deadline =
        Instant.now().plus(MAX_REST).plus(MAX_FOR_ONE_KILL.multipliedBy(extent.kills()));
    if (extent.kills() >= MIN_KILLS_TO_PREPARE) {
      classes = HubClasses.prepared(folder.resolve("classes"), store);
    }
    int kills = 0;
    int agentsKilled = 0;
    boolean over = over(kills);
    HubProcess hub = start(over);
    while (requests.sent() < extent.steers() || !over) {
      if (Instant.now().isAfter(deadline)) {
        throw endless();
      }
      topUp(hub);
      if (points.isEmpty()) {
        live(hub, allowance(kills));
      } else {
        runUntilFault(hub);
      }
      if (random.nextInt(4) == 0 && processes.killOne(random)) {
        agentsKilled++;
      }
      if (!over) {
        boolean hubDies = server.isEmpty() || random.nextBoolean();
        if (server.isPresent()) {
          server.get().kill();
        }
        if (hubDies) {
          hub.kill();
        }
        if (server.isPresent()) {
          server.get().comeBack();
        }
        kills++;
        over = over(kills);
        hub = hubDies || !survived(hub) ? start(over) : again(hub);
      } else {
        again(hub); // some arrived before their run, or while the server was down
      }
    }
    settle(hub, deadline);
    hub.leave(30);
    return findings(kills, agentsKilled);
  }

  private Findings findings(int kills, int agentsKilled) throws IOException {
    DrillRecord account = requests.account();
    List<RunEvidence> left = new ArrayList<>();
    try (Ledger ledger = store.open(folder)) {
      for (String run : runs.keySet()) {
        left.add(RunEvidence.of(ledger, folder, run));
      }
    }
    return new Findings(
        extent,
        kills,
        agentsKilled,
        Map.copyOf(faults),
        account.stored().size(),
        account.refused().size(),
        Checker.check(account, left),
        processes.alive().stream()
            .map(p -> p.pid() + " " + p.info().commandLine().orElse("?"))
            .toList());
  }

  /**
   * Returns whether there were enough kills; with fault points, whether each point was reached
   * often enough.
   */
  private boolean over(int kills) {
    return points.isEmpty() ? kills >= extent.kills() : missing().isEmpty();
  }

  /** Returns the first of the points at which the fewest hubs ended; empty if each has enough. */
  private Optional<FaultPoint> missing() {
    int often = extent.kills() / points.size();
    return points.stream()
        .filter(point -> times(point) < often)
        .min(Comparator.comparingInt(this::times));
  }

  private int times(FaultPoint point) {
    return faults.getOrDefault(point, 0);
  }

  private HubProcess start(boolean last) throws InterruptedException {
    HubProcess hub =
        HubProcess.start(classes, folder, store, fault(last), endsKnownTo, this::receive);
    newest = Optional.of(hub);
    // Some hubs are killed before they are ready, to test a crash during the start.
    if (random.nextInt(10) > 0 && !hub.awaitReady(60)) {
      throw new IllegalStateException("the hub does not start; it said last: " + lastOutput());
    }
    return again(hub);
  }

  /**
   * Returns whether the hub survived the kill of its server. A hub that was still starting ends
   * with an error.
   */
  private static boolean survived(HubProcess hub) throws InterruptedException {
    return hub.awaitReady(60) && hub.alive();
  }

  /** Sends all unanswered requests to the hub again. */
  private HubProcess again(HubProcess hub) {
    sayUnfinished(hub);
    requests.sayAgain(hub);
    return hub;
  }

  /**
   * Sends the runs that have not ended. An ended run is in the ledger, and sending it again would
   * take longer with each hub.
   */
  private void sayUnfinished(HubProcess hub) {
    runs.entrySet().stream()
        .filter(run -> !ended.contains(run.getKey()))
        .forEach(run -> hub.say(run.getValue()));
  }

  /**
   * Returns the fault of the next hub; none for the last hub, which finishes everything. If a hub
   * did not reach its point, the next hub gets the same point.
   */
  private String fault(boolean last) {
    if (points.isEmpty() || last) {
      return "none";
    }
    FaultPoint point = missing().orElseThrow();
    int time = tried.equals(Optional.of(point)) ? 1 : 1 + random.nextInt(point.maxTimes());
    tried = Optional.of(point);
    return point.word() + ":" + time;
  }

  private void runUntilFault(HubProcess hub) throws InterruptedException {
    long until = System.nanoTime() + UNTIL_FAULT.toNanos();
    while (hub.alive() && System.nanoTime() < until) {
      topUp(hub);
      send(hub, random.nextInt(3));
      Thread.sleep(50 + random.nextInt(100));
    }
  }

  private void topUp(HubProcess hub) {
    live.keySet().removeAll(ended);
    leaving.removeIf(this::endsNow);
    while (live.size() < extent.runsAtOnce() && unended() < 2 * extent.runsAtOnce()) {
      String id = "drill-" + extent.seed() + "-" + runs.size();
      String agent = AGENTS.get(random.nextInt(AGENTS.size())).word();
      String how = agent + "/" + policy().wire() + "/" + lingerMillis();
      String line = "run " + id + " " + how + " " + steps(id);
      runs.put(id, line);
      live.put(id, hubsToLive());
      hub.say(line);
    }
  }

  /**
   * Returns the number of runs that have not ended, including those without further steers. This
   * limits the load on a slow machine.
   */
  private int unended() {
    return runs.size() - ended.size();
  }

  /** Half of the runs have a linger, so short that steers come while it ends. */
  private int lingerMillis() {
    return random.nextBoolean() ? 0 : 20 + random.nextInt(200);
  }

  private PendingPolicy policy() {
    int dice = random.nextInt(10);
    return dice < 6 ? PendingPolicy.ALL : dice < 8 ? PendingPolicy.LATEST : PendingPolicy.ONE;
  }

  /**
   * Returns a prompt of many short steps, with a boundary after each. The last step waits for a
   * file of the drill, so that the speed of the machine does not decide how many steers find their
   * run alive.
   */
  private String steps(String run) {
    String over = "test -e " + END_FILE_PREFIX + run;
    return "$ sleep 0.05"
        + ("|$ if ! " + over + "; then sleep 0.1; fi").repeat(5 + random.nextInt(30))
        + ("|$ until " + over + "; do sleep 0.05; done");
  }

  /**
   * Returns the number of steers after which a run may end; fewer with fault points, because some
   * points need the end of a run.
   */
  private int hubsToLive() {
    return points.isEmpty() ? 5 + random.nextInt(40) : 6 + random.nextInt(15);
  }

  private void finish(String run) {
    live.remove(run);
    leaving.add(run);
  }

  /** Lets a run end when at most two of its steers are unanswered. */
  private boolean endsNow(String run) {
    boolean now = requests.unanswered(run) <= 2;
    if (now) {
      letEnd(run);
    }
    return now;
  }

  private void letEnd(String run) {
    try {
      Files.write(folder.resolve(END_FILE_PREFIX + run), new byte[0]);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /**
   * Uses one hub. In most cases it first waits for some answers, so that the hub is killed while it
   * is working, also on a slow machine. Then it sends for a random time.
   */
  private void live(HubProcess hub, int most) throws InterruptedException {
    int answers = random.nextInt(10) < 7 ? requests.stored() + 1 + random.nextInt(8) : 0;
    long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
    while (requests.stored() < answers
        && requests.sent() < extent.steers()
        && System.nanoTime() < deadline) {
      burst(hub, most);
      Thread.sleep(1);
    }
    long until = System.nanoTime() + random.nextLong(1_000_000, 400_000_000);
    while (System.nanoTime() < until) {
      burst(hub, most);
      Thread.sleep(random.nextInt(4));
    }
  }

  /**
   * Returns how many steers may have been sent before this kill, so that the steers are spread over
   * all kills.
   */
  private int allowance(int kills) {
    return (int) ((long) extent.steers() * (kills + 1) / Math.max(extent.kills(), 1));
  }

  private void burst(HubProcess hub, int most) {
    send(hub, Math.min(random.nextInt(4), Math.min(most, extent.steers()) - requests.sent()));
  }

  private void send(HubProcess hub, int steers) {
    topUp(hub);
    int all = requests.sent() + steers;
    while (requests.sent() < all && !live.isEmpty()) {
      String run = randomLiveRun();
      String mode = mode();
      // A run does not resume interrupted steps and soon ends, so it gets no more steers.
      if (live.merge(run, -1, Integer::sum) <= 0 || mode.equals("interrupt")) {
        finish(run);
      }
      requests.steer(hub, run, mode);
      topUp(hub);
      changeSteer(hub, requests.sent() < all);
    }
  }

  private String randomLiveRun() {
    return live.keySet().stream().skip(random.nextInt(live.size())).findFirst().orElseThrow();
  }

  /**
   * Sometimes stops a run or withdraws, edits or replaces a steer. A stopped run gets no more
   * steers.
   */
  private void changeSteer(HubProcess hub, boolean roomForOne) {
    int stops = points.isEmpty() ? 3 : 8;
    int dice = random.nextInt(100);
    if (dice < stops && !live.isEmpty()) {
      String run = randomLiveRun();
      live.remove(run);
      requests.stop(hub, run);
      topUp(hub);
    } else if (dice < 14) {
      requests.withdraw(hub, random);
    } else if (dice < 20) {
      requests.edit(hub, random);
    } else if (dice < 25 && roomForOne) {
      requests.replace(hub, random);
    }
  }

  private String mode() {
    int dice = random.nextInt(100);
    int interrupts = points.isEmpty() ? 5 : 10;
    return dice < interrupts ? "interrupt" : dice < 15 ? "follow_up" : "steer";
  }

  /** Handles one line of a hub. */
  private void receive(String line) {
    List<String> words = HubProcess.words(line);
    switch (words.getFirst()) {
      case "ended" -> {
        ended.add(words.get(1));
        endsKnownTo = Long.parseLong(words.get(2));
      }
      case "fault" -> faults.merge(FaultPoint.of(words.get(1)), 1, Integer::sum);
      default -> requests.receive(words);
    }
  }

  /**
   * Finishes without kills: sends unanswered requests until they are answered, and waits for the
   * end of every run.
   */
  private void settle(HubProcess hub, Instant deadline) throws InterruptedException {
    hub.awaitReady(60);
    runs.keySet().forEach(this::letEnd);
    sayUnfinished(hub);
    while (requests.unanswered() > 0 || !ended.containsAll(runs.keySet())) {
      if (Instant.now().isAfter(deadline)) {
        throw endless();
      }
      requests.sayAgain(hub);
      Thread.sleep(300);
    }
  }

  private IllegalStateException endless() {
    return new IllegalStateException(
        ("the drill does not end; seed %d: %d of %d steers sent, %d of them unanswered;"
                + " %d of %d runs ended, %d wait for their end; the hub said last: %s")
            .formatted(
                extent.seed(),
                requests.sent(),
                extent.steers(),
                requests.unanswered(),
                ended.size(),
                runs.size(),
                leaving.size(),
                lastOutput()));
  }

  /** Returns the end of the hubs' error output. */
  private String lastOutput() {
    try {
      String all = Files.readString(folder.resolve(HubProcess.COMPLAINTS));
      return all.substring(Math.max(0, all.length() - 2_000));
    } catch (IOException unreadable) {
      return "nothing";
    }
  }
}
