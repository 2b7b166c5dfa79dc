package dev.midcourse.proof.crash.loop;

import dev.midcourse.ledger.Ledger;
import dev.midcourse.proof.crash.hub.DrillProcesses;
import dev.midcourse.proof.crash.hub.DrillStore;
import dev.midcourse.proof.crash.hub.HubClasses;
import dev.midcourse.proof.crash.hub.HubProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Runs autopilot loops while hubs end with SIGKILL at fault points, or at random. The first commit
 * of each loop is wrong; guidance that comes before or during the wait corrects it; then the loop
 * lands with the others. Every order is sent again until a hub has acknowledged it. At the end an
 * independent checker decides. All random choices come from one seed.
 */
public final class LoopDrill {
  /** The time limit for a hub to reach its fault point. Then it is killed where it is. */
  private static final Duration UNTIL_FAULT = Duration.ofSeconds(20);

  private static final Duration MAX_FOR_ONE_KILL = Duration.ofSeconds(40);
  private static final Duration MAX_REST = Duration.ofMinutes(4);
  private static final int START_SECONDS = 60;
  private static final int MAX_AT_ONCE = 3;

  /** A remark to a clean loop costs it another fix, so that many would keep it from its end. */
  private static final int MAX_REMARKS = 2;

  private static final int MAX_RANDOM_LIFE = 1_500;

  private final long seed;
  private final int kills;
  private final List<LoopFaultPoint> points;
  private final DrillRepository repository;
  private final DrillStore store;
  private final Random random;
  private final HubClasses classes = HubClasses.asBuilt();
  private final DrillProcesses processes;
  private final Map<String, String> unanswered = new ConcurrentHashMap<>();
  private final Map<String, String> branches = new ConcurrentHashMap<>();
  private final Map<String, String> stored = new ConcurrentHashMap<>();
  private final Map<LoopFaultPoint, Integer> faults = new ConcurrentHashMap<>();
  private final Map<String, Integer> remarks = new HashMap<>();
  private volatile int unended;
  private volatile boolean knowsUnended;
  private int ordered;
  private int steers;
  private Optional<LoopFaultPoint> tried = Optional.empty();
  private Optional<HubProcess> newest = Optional.empty();

  /**
   * Creates a drill.
   *
   * @param kills so many hubs end at each of the points; without points, so many end at random
   */
  public LoopDrill(
      long seed, int kills, List<LoopFaultPoint> points, Path folder, DrillStore store) {
    this.seed = seed;
    this.kills = kills;
    this.points = List.copyOf(points);
    this.repository = new DrillRepository(folder);
    this.store = store;
    this.random = new Random(seed);
    this.processes = new DrillProcesses("drill-" + seed + "-");
  }

  /** Runs the drill. On every path it ends its processes, so that the next drill finds none. */
  public LoopFindings run() throws IOException, InterruptedException {
    repository.create();
    try {
      int done = points.isEmpty() ? killAtRandom() : killAtPoints();
      HubProcess last = start("none");
      awaitEnd(last);
      last.leave(30);
      return findings(done);
    } finally {
      if (newest.isPresent()) {
        newest.get().kill();
      }
      processes.alive().forEach(ProcessHandle::destroyForcibly);
    }
  }

  private int killAtRandom() throws IOException, InterruptedException {
    for (int i = 0; i < kills; i++) {
      HubProcess hub = start("none");
      use(hub, Duration.ofMillis(random.nextInt(MAX_RANDOM_LIFE)));
      hub.kill();
    }
    return kills;
  }

  private int killAtPoints() throws IOException, InterruptedException {
    Instant deadline =
        Instant.now()
            .plus(MAX_REST)
            .plus(MAX_FOR_ONE_KILL.multipliedBy((long) kills * points.size()));
    int done = 0;
    for (Optional<LoopFaultPoint> point = missing(); point.isPresent(); point = missing()) {
      HubProcess hub = start(fault(point.get()));
      use(hub, UNTIL_FAULT);
      hub.kill();
      done++;
      if (Instant.now().isAfter(deadline)) {
        throw new IllegalStateException("the drill does not reach " + missing() + output());
      }
    }
    return done;
  }

  private Optional<LoopFaultPoint> missing() {
    return points.stream()
        .filter(point -> times(point) < kills)
        .min(Comparator.comparingInt(this::times));
  }

  private int times(LoopFaultPoint point) {
    return faults.getOrDefault(point, 0);
  }

  private String fault(LoopFaultPoint point) {
    int time = tried.equals(Optional.of(point)) ? 1 : 1 + random.nextInt(point.maxTimes());
    tried = Optional.of(point);
    return point.word() + ":" + time;
  }

  private HubProcess start(String fault) throws IOException, InterruptedException {
    knowsUnended = false;
    HubProcess hub =
        HubProcess.start(
            classes,
            repository.folder(),
            LoopHub.class,
            List.of(repository.folder().toString(), store.word(), fault),
            this::receive);
    newest = Optional.of(hub);
    if (!hub.awaitReady(START_SECONDS)) {
      throw new IllegalStateException("the hub does not start" + output());
    }
    unanswered.values().forEach(hub::say);
    return hub;
  }

  /** Handles one line of a hub. */
  private void receive(String line) {
    List<String> words = HubProcess.words(line);
    switch (words.getFirst()) {
      case "fault" -> faults.merge(LoopFaultPoint.of(words.get(1)), 1, Integer::sum);
      case "quiet" -> {
        unended = Integer.parseInt(words.get(1));
        knowsUnended = true;
      }
      case "created" -> {
        branches.put(words.get(1), line);
        unanswered.remove(words.get(1));
      }
      case "guided" -> {
        stored.put(words.get(2), words.get(1));
        unanswered.remove(words.get(2));
      }
      case "refused" -> unanswered.remove(words.get(2));
      default -> {}
    }
  }

  /** Orders loops and steers them until the hub is dead or the time is over. */
  private void use(HubProcess hub, Duration atMost) throws InterruptedException {
    long until = System.nanoTime() + atMost.toNanos();
    while (hub.alive() && System.nanoTime() < until) {
      hub.say("quiet");
      if (knowsUnended && unended < MAX_AT_ONCE && unanswered.size() < MAX_AT_ONCE) {
        order(hub);
      }
      if (random.nextInt(6) == 0) {
        remark(hub);
      }
      Thread.sleep(20 + random.nextInt(80));
    }
  }

  /** Orders a loop. Its correction is sent when the loop is acknowledged. */
  private void order(HubProcess hub) throws InterruptedException {
    String branch = "l" + ++ordered;
    String reviewer = random.nextBoolean() ? "rehearsal" : "none";
    say(hub, branch, "create " + branch + " " + reviewer + " " + repository.task(seed, branch));
    long until = System.nanoTime() + UNTIL_FAULT.toNanos();
    while (!branches.containsKey(branch) && hub.alive() && System.nanoTime() < until) {
      Thread.sleep(5);
    }
    String steer = steer();
    unanswered.put(
        steer, "guide " + branch + " " + steer + " fix " + repository.correction(branch, steer));
    if (branches.containsKey(branch)) {
      hub.say(unanswered.getOrDefault(steer, "quiet"));
    }
  }

  /** Steers one of the newest loops; it may be in any phase. */
  private void remark(HubProcess hub) {
    int number = ordered - random.nextInt(MAX_AT_ONCE);
    boolean fits = number >= 1 && branches.containsKey("l" + number);
    if (fits && remarks.merge("l" + number, 1, Integer::sum) <= MAX_REMARKS) {
      String steer = steer();
      say(hub, steer, "guide l" + number + " " + steer + " now " + repository.remark(steer));
    }
  }

  private String steer() {
    return "00000000-0000-4000-8000-%012d".formatted(++steers);
  }

  private void say(HubProcess hub, String key, String line) {
    unanswered.put(key, line);
    hub.say(line);
  }

  /** Waits until the last hub has finished everything. The checker says what is missing. */
  private void awaitEnd(HubProcess hub) throws IOException, InterruptedException {
    Instant deadline = Instant.now().plus(MAX_REST);
    while (!knowsUnended || unended > 0 || !unanswered.isEmpty()) {
      if (!hub.alive()) {
        throw new IllegalStateException("the last hub has ended" + output());
      }
      if (Instant.now().isAfter(deadline)) {
        return;
      }
      unanswered.values().forEach(hub::say); // a correction may have come before its loop
      hub.say("quiet");
      Thread.sleep(200);
    }
  }

  private String output() throws IOException {
    String all = Files.readString(repository.folder().resolve(HubProcess.COMPLAINTS));
    return "; hubs said last: " + all.substring(Math.max(0, all.length() - 4_000));
  }

  private LoopFindings findings(int done) throws IOException, InterruptedException {
    try (Ledger ledger = store.open(repository.folder())) {
      List<String> troubles =
          new LoopChecker(ledger, repository).check(branches.keySet(), new LinkedHashMap<>(stored));
      return new LoopFindings(
          seed,
          done,
          faults.isEmpty() ? Map.of() : new EnumMap<>(faults),
          branches.size(),
          stored.size(),
          repository.pastOfMain().size() - 1,
          troubles,
          processes.alive().stream().map(ProcessHandle::toString).toList());
    }
  }
}
