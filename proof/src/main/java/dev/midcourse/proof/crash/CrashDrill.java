package dev.midcourse.proof.crash;

import dev.midcourse.core.steer.PendingPolicy;
import dev.midcourse.ledger.Ledger;
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
 * Sends steers to rehearsal runs, stops one now and then, and withdraws, edits and replaces some
 * steers, while the hub is killed with -9, at random or at fault points, or the server that keeps
 * its ledger, with the hub or without; sends every unanswered one again under its key, kills an
 * agent now and then too, and at the end lets an independent checker look. Everything random comes
 * from one seed.
 */
public final class CrashDrill {
  /** How much of it; at fault points there are as many steers as it takes to come there. */
  public record Extent(long seed, int kills, int steers, int runsAtOnce) {}

  /** A drill that takes longer, on whatever machine, hangs. */
  private static final Duration MAX_REST = Duration.ofMinutes(20);

  /** With so many kills it pays to prepare the classes of the hubs. */
  private static final int WORTH_PREPARING = 50;

  private static final Duration MAX_FOR_ONE_KILL = Duration.ofSeconds(10);

  /** How long a hub may take to come to its fault point. */
  private static final Duration UNTIL_FAULT = Duration.ofSeconds(15);

  /** How the name of the file begins that lets a run come to its end. */
  private static final String OVER = "over-";

  private static final List<DrillAgent> AGENTS = List.of(DrillAgent.values());

  private final Extent extent;
  private final Path folder;
  private final DrillStore store;
  private final List<FaultPoint> points;
  private final Optional<StoreServer> server;
  private final Map<FaultPoint, Integer> faults = new ConcurrentHashMap<>();
  private Optional<FaultPoint> tried = Optional.empty();
  private final Random random;
  private final Dealings dealings = new Dealings();
  private final Map<String, String> runs = new LinkedHashMap<>();

  /** The runs that get steers, and how many each will still get. */
  private final Map<String, Integer> live = new LinkedHashMap<>();

  private final Set<String> leaving = new HashSet<>();
  private final Set<String> ended = ConcurrentHashMap.newKeySet();

  /** Of every run that ended up to this place of the log, a hub has said so. */
  private volatile long endsKnownTo;

  private final DrillProcesses processes;
  private Optional<HubProcess> newest = Optional.empty();
  private HubClasses classes = HubClasses.asBuilt();

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

  /** Whatever it comes to, nothing of it is left for the next drill to find. */
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
    if (extent.kills() >= WORTH_PREPARING) {
      classes = HubClasses.prepared(folder.resolve("classes"), store);
    }
    int kills = 0;
    int agentsKilled = 0;
    boolean over = over(kills);
    HubProcess hub = start(over);
    while (dealings.sent() < extent.steers() || !over) {
      if (Instant.now().isAfter(deadline)) {
        throw endless();
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
        hub = hubDies || !survived(hub) ? start(over) : again(hub);
      } else {
        again(hub); // some came before their run, or while the server was away
      }
    }
    settle(hub, deadline);
    hub.leave(30);
    return findings(kills, agentsKilled);
  }

  private Findings findings(int kills, int agentsKilled) throws IOException {
    Account account = dealings.account();
    List<Left> left = new ArrayList<>();
    try (Ledger ledger = store.open(folder)) {
      for (String run : runs.keySet()) {
        left.add(Left.of(ledger, folder, run));
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
    newest = Optional.of(hub);
    // Some hubs are killed before they are ready: that, too, is a point of the way.
    if (random.nextInt(10) > 0 && !hub.awaitReady(60)) {
      throw new IllegalStateException("the hub does not start; it said last: " + lastWords());
    }
    return again(hub);
  }

  /** A hub that still starts when its server is killed does not come up, and says so. */
  private static boolean survived(HubProcess hub) throws InterruptedException {
    return hub.awaitReady(60) && hub.alive();
  }

  /** Tells the hub again what nobody has answered yet. */
  private HubProcess again(HubProcess hub) {
    sayUnfinished(hub);
    dealings.sayAgain(hub);
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
    live.keySet().removeAll(ended);
    leaving.removeIf(this::endsNow);
    while (live.size() < extent.runsAtOnce() && unended() < 2 * extent.runsAtOnce()) {
      String id = "drill-" + extent.seed() + "-" + runs.size();
      String agent = AGENTS.get(random.nextInt(AGENTS.size())).word();
      String line = "run " + id + " " + agent + "/" + policy().wire() + " " + steps(id);
      runs.put(id, line);
      live.put(id, patience());
      hub.say(line);
    }
  }

  /** Among them those that get no more steers: a slow machine is not given ever more to do. */
  private int unended() {
    return runs.size() - ended.size();
  }

  private PendingPolicy policy() {
    int dice = random.nextInt(10);
    return dice < 6 ? PendingPolicy.ALL : dice < 8 ? PendingPolicy.LATEST : PendingPolicy.ONE;
  }

  /**
   * Many short steps, with a boundary after each, and a last one that waits until the drill has had
   * its say: how many steers find their run alive is not for the speed of the machine to decide.
   */
  private String steps(String run) {
    String over = "test -e " + OVER + run;
    return "$ sleep 0.05"
        + ("|$ if ! " + over + "; then sleep 0.1; fi").repeat(5 + random.nextInt(30))
        + ("|$ until " + over + "; do sleep 0.05; done");
  }

  /** After so many steers a run is left to its end; where hubs wait for the ends, after few. */
  private int patience() {
    return points.isEmpty() ? 5 + random.nextInt(40) : 6 + random.nextInt(15);
  }

  private void leaveToItsEnd(String run) {
    live.remove(run);
    leaving.add(run);
  }

  /** A run ends when hubs have answered most of what was said to it, and not before all of it. */
  private boolean endsNow(String run) {
    boolean now = dealings.unanswered(run) <= 2;
    if (now) {
      letEnd(run);
    }
    return now;
  }

  private void letEnd(String run) {
    try {
      Files.write(folder.resolve(OVER + run), new byte[0]);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /**
   * The life of one hub: mostly until it has answered some steers, so that it is killed at work on
   * a slow machine too, and a random while longer; at times just the while.
   */
  private void live(HubProcess hub, int most) throws InterruptedException {
    int answers = random.nextInt(10) < 7 ? dealings.stored() + 1 + random.nextInt(8) : 0;
    long patience = System.nanoTime() + Duration.ofSeconds(20).toNanos();
    while (dealings.stored() < answers
        && dealings.sent() < extent.steers()
        && System.nanoTime() < patience) {
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
    send(hub, Math.min(random.nextInt(4), Math.min(most, extent.steers()) - dealings.sent()));
  }

  private void send(HubProcess hub, int steers) {
    topUp(hub);
    int all = dealings.sent() + steers;
    while (dealings.sent() < all && !live.isEmpty()) {
      String run = aLiveOne();
      String mode = mode();
      // What an interrupt breaks off is not taken up again: such a run comes to its end anyway.
      if (live.merge(run, -1, Integer::sum) <= 0 || mode.equals("interrupt")) {
        leaveToItsEnd(run);
      }
      dealings.steer(hub, run, mode);
      topUp(hub);
      wish(hub, dealings.sent() < all);
    }
  }

  private String aLiveOne() {
    return live.keySet().stream().skip(random.nextInt(live.size())).findFirst().orElseThrow();
  }

  /** Now and then somebody thinks better of it. A run that is stopped gets no more steers. */
  private void wish(HubProcess hub, boolean roomForOne) {
    int stops = points.isEmpty() ? 3 : 8;
    int dice = random.nextInt(100);
    if (dice < stops && !live.isEmpty()) {
      String run = aLiveOne();
      live.remove(run);
      dealings.stop(hub, run);
      topUp(hub);
    } else if (dice < 14) {
      dealings.withdraw(hub, random);
    } else if (dice < 20) {
      dealings.edit(hub, random);
    } else if (dice < 25 && roomForOne) {
      dealings.replace(hub, random);
    }
  }

  private String mode() {
    int dice = random.nextInt(100);
    int interrupts = points.isEmpty() ? 5 : 10;
    return dice < interrupts ? "interrupt" : dice < 15 ? "follow_up" : "steer";
  }

  /** Every line of every hub. */
  private void heard(String line) {
    List<String> words = HubProcess.words(line);
    switch (words.getFirst()) {
      case "ended" -> {
        ended.add(words.get(1));
        endsKnownTo = Long.parseLong(words.get(2));
      }
      case "fault" -> faults.merge(FaultPoint.of(words.get(1)), 1, Integer::sum);
      default -> dealings.heard(words);
    }
  }

  /** No more kills: everything unanswered is sent until it is answered, and every run ends. */
  private void settle(HubProcess hub, Instant deadline) throws InterruptedException {
    hub.awaitReady(60);
    runs.keySet().forEach(this::letEnd);
    sayUnfinished(hub);
    while (dealings.unanswered() > 0 || !ended.containsAll(runs.keySet())) {
      if (Instant.now().isAfter(deadline)) {
        throw endless();
      }
      dealings.sayAgain(hub);
      Thread.sleep(300);
    }
  }

  private IllegalStateException endless() {
    return new IllegalStateException(
        ("the drill does not end; seed %d: %d of %d steers sent, %d of them unanswered;"
                + " %d of %d runs ended, %d wait for their end; the hub said last: %s")
            .formatted(
                extent.seed(),
                dealings.sent(),
                extent.steers(),
                dealings.unanswered(),
                ended.size(),
                runs.size(),
                leaving.size(),
                lastWords()));
  }

  /** The end of what the hubs had to complain of. */
  private String lastWords() {
    try {
      String all = Files.readString(folder.resolve(HubProcess.COMPLAINTS));
      return all.substring(Math.max(0, all.length() - 2_000));
    } catch (IOException unreadable) {
      return "nothing";
    }
  }
}
