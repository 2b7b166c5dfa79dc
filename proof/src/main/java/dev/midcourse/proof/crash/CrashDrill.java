package dev.midcourse.proof.crash;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Sends steers to rehearsal runs while the hub is killed with -9, at random or at fault points, or
 * the server that keeps its ledger, with the hub or without; sends every unanswered one again under
 * its key, kills an agent now and then too, and at the end lets an independent checker look.
 * Everything random comes from one seed.
 */
public final class CrashDrill {
  /** How much of it; at fault points there are as many steers as it takes to come there. */
  public record Extent(long seed, int kills, int steers, int runsAtOnce) {}

  /** Refusals after which the same is sent again: its run or the store is not there yet. */
  private static final Set<String> NOT_FOR_GOOD = Set.of("not_found", "unavailable");

  /** A drill that takes longer, on whatever machine, hangs. */
  private static final Duration LONGEST_REST = Duration.ofMinutes(20);

  /** With so many kills it pays to prepare the classes of the hubs. */
  private static final int WORTH_PREPARING = 50;

  private static final Duration LONGEST_FOR_ONE_KILL = Duration.ofSeconds(10);

  /** How long a hub may take to come to its fault point. */
  private static final Duration UNTIL_FAULT = Duration.ofSeconds(15);

  private final Extent extent;
  private final Path folder;
  private final DrillStore store;
  private final List<FaultPoint> points;
  private final Optional<StoreServer> server;
  private final Map<FaultPoint, Integer> faults = new ConcurrentHashMap<>();
  private Optional<FaultPoint> tried = Optional.empty();
  private final Random random;
  private final Map<String, Sent> unanswered = new ConcurrentHashMap<>();
  private final Map<String, Sent> stored = new ConcurrentHashMap<>();
  private final Map<String, Sent> refused = new ConcurrentHashMap<>();
  private final Map<String, String> runs = new LinkedHashMap<>();
  private final List<String> live = new ArrayList<>();
  private final Set<String> ended = ConcurrentHashMap.newKeySet();

  /** Of every run that ended up to this place of the log, a hub has said so. */
  private volatile long endsKnownTo;

  private final DrillProcesses processes;
  private HubClasses classes = HubClasses.asBuilt();
  private int sent;

  /** A steer on its way, and the id it got. */
  record Sent(String run, String key, String mode, String text, String id) {
    Sent answered(String itsId) {
      return new Sent(run, key, mode, text, itsId);
    }

    String line() {
      return "steer " + run + " " + key + " " + mode + ":" + text;
    }
  }

  /** Kills at random. */
  public CrashDrill(Extent extent, Path folder, DrillStore store) {
    this(extent, folder, store, List.of(), Optional.empty());
  }

  /** Kills the server that keeps the ledger. */
  public CrashDrill(Extent extent, Path folder, StoreServer server) {
    this(extent, folder, server.store(), List.of(), Optional.of(server));
  }

  /** Has the hubs end at these points, in turn. */
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

  public Findings run() throws IOException, InterruptedException {
    Instant deadline =
        Instant.now().plus(LONGEST_REST).plus(LONGEST_FOR_ONE_KILL.multipliedBy(extent.kills()));
    if (extent.kills() >= WORTH_PREPARING) {
      classes = HubClasses.prepared(folder.resolve("classes"), store);
    }
    int kills = 0;
    int agentsKilled = 0;
    boolean over = over(kills);
    HubProcess hub = start(over);
    while (sent < extent.steers() || !over) {
      if (Instant.now().isAfter(deadline)) {
        throw new IllegalStateException("the drill does not end; seed " + extent.seed());
      }
      topUp(hub);
      if (points.isEmpty()) {
        live(hub, allowance(kills));
      } else {
        liveUntilItsFault(hub);
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
        hub = hubDies ? start(over) : again(hub);
      }
    }
    settle(hub, deadline);
    hub.leave(30);
    return new Checker(folder, store, List.copyOf(stored.values()), List.copyOf(refused.values()))
        .check(extent, kills, agentsKilled, Map.copyOf(faults));
  }

  /**
   * Whether there were enough kills; where they are at fault points, each as often as it should.
   */
  private boolean over(int kills) {
    return points.isEmpty() ? kills >= extent.kills() : missing().isEmpty();
  }

  /** The first of the points at which hubs ended least, if that is not often enough. */
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
        HubProcess.start(classes, folder, store, fault(last), endsKnownTo, this::heard);
    // Some hubs are killed before they are ready: that, too, is a point of the way.
    if (random.nextInt(10) > 0 && !hub.awaitReady(60)) {
      throw new IllegalStateException("the hub does not start; see hub.err in " + folder);
    }
    return again(hub);
  }

  /** Tells the hub again what nobody has answered yet. */
  private HubProcess again(HubProcess hub) {
    sayUnfinished(hub);
    unanswered.values().forEach(steer -> hub.say(steer.line()));
    return hub;
  }

  /** A run that has ended is known to be kept; to tell it again would take longer with each hub. */
  private void sayUnfinished(HubProcess hub) {
    runs.entrySet().stream()
        .filter(run -> !ended.contains(run.getKey()))
        .forEach(run -> hub.say(run.getValue()));
  }

  /**
   * The fault of the next hub; the last hub, which is to finish everything, has none. A point that
   * a hub did not come to, because too little happened in its life, gets the next hub too.
   */
  private String fault(boolean last) {
    if (points.isEmpty() || last) {
      return "none";
    }
    FaultPoint point = missing().orElseThrow();
    int time = tried.equals(Optional.of(point)) ? 1 : 1 + random.nextInt(point.mostTimes());
    tried = Optional.of(point);
    return point.word() + ":" + time;
  }

  private void liveUntilItsFault(HubProcess hub) throws InterruptedException {
    long until = System.nanoTime() + UNTIL_FAULT.toNanos();
    while (hub.alive() && System.nanoTime() < until) {
      topUp(hub);
      send(hub, random.nextInt(3));
      Thread.sleep(50 + random.nextInt(100));
    }
  }

  private void topUp(HubProcess hub) {
    live.removeIf(ended::contains);
    while (live.size() < extent.runsAtOnce()) {
      String id = "drill-" + extent.seed() + "-" + runs.size();
      String line = "run " + id + " $ sleep 0.05" + "|$ sleep 0.1".repeat(steps());
      runs.put(id, line);
      live.add(id);
      hub.say(line);
    }
  }

  /** Where hubs wait for the ends of runs, runs are short. */
  private int steps() {
    return points.isEmpty() ? 5 + random.nextInt(40) : 2 + random.nextInt(8);
  }

  /**
   * The life of one hub: mostly until it has answered some steers, so that it is killed at work on
   * a slow machine too, and a random while longer; at times just the while.
   */
  private void live(HubProcess hub, int most) throws InterruptedException {
    int answers = random.nextInt(10) < 7 ? stored.size() + 1 + random.nextInt(8) : 0;
    long patience = System.nanoTime() + Duration.ofSeconds(20).toNanos();
    while (stored.size() < answers && sent < extent.steers() && System.nanoTime() < patience) {
      burst(hub, most);
      Thread.sleep(1);
    }
    long until = System.nanoTime() + random.nextLong(1_000_000, 400_000_000);
    while (System.nanoTime() < until) {
      burst(hub, most);
      Thread.sleep(random.nextInt(4));
    }
  }

  /** How many steers may have been sent by this kill: they are spread over all of them. */
  private int allowance(int kills) {
    return (int) ((long) extent.steers() * (kills + 1) / Math.max(extent.kills(), 1));
  }

  private void burst(HubProcess hub, int most) {
    send(hub, Math.min(random.nextInt(4), Math.min(most, extent.steers()) - sent));
  }

  private void send(HubProcess hub, int steers) {
    for (int i = 0; i < steers; i++) {
      String run = live.get(random.nextInt(live.size()));
      Sent steer = new Sent(run, "k" + sent, mode(), "remark " + sent, "");
      sent++;
      unanswered.put(steer.key(), steer);
      hub.say(steer.line());
    }
  }

  private String mode() {
    int dice = random.nextInt(100);
    int interrupts = points.isEmpty() ? 5 : 10;
    return dice < interrupts ? "interrupt" : dice < 15 ? "follow_up" : "steer";
  }

  /** Every line of every hub: what was stored counts, whichever hub said it. */
  private void heard(String line) {
    List<String> words = HubProcess.words(line);
    switch (words.getFirst()) {
      case "stored" -> {
        Sent steer = unanswered.remove(words.get(1));
        if (steer != null) {
          stored.put(steer.key(), steer.answered(words.get(2)));
        }
      }
      case "refused" -> {
        boolean ofRun = words.get(1).startsWith("drill-") && words.get(2).startsWith("k");
        boolean forGood = !NOT_FOR_GOOD.contains(words.getLast());
        Sent steer = ofRun && forGood ? unanswered.remove(words.get(2)) : null;
        if (steer != null) {
          refused.put(steer.key(), steer);
        }
      }
      case "ended" -> {
        ended.add(words.get(1));
        endsKnownTo = Long.parseLong(words.get(2));
      }
      case "fault" -> faults.merge(FaultPoint.of(words.get(1)), 1, Integer::sum);
      default -> {}
    }
  }

  /** No more kills: everything unanswered is sent until it is answered, and every run ends. */
  private void settle(HubProcess hub, Instant deadline) throws InterruptedException {
    hub.awaitReady(60);
    sayUnfinished(hub);
    while (!unanswered.isEmpty() || !ended.containsAll(runs.keySet())) {
      if (Instant.now().isAfter(deadline)) {
        throw new IllegalStateException(
            "seed %d: %d of %d runs ended, %d steers unanswered"
                .formatted(extent.seed(), ended.size(), runs.size(), unanswered.size()));
      }
      unanswered.values().forEach(steer -> hub.say(steer.line()));
      Thread.sleep(300);
    }
  }
}
