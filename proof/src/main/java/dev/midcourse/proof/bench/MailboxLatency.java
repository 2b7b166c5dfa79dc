package dev.midcourse.proof.bench;

import dev.midcourse.agents.Drivers;
import dev.midcourse.agents.rehearsal.RehearsalDriver;
import dev.midcourse.core.id.AgentName;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.steer.Author;
import dev.midcourse.core.steer.Rung;
import dev.midcourse.core.watch.Notice.Sign;
import dev.midcourse.engine.Engine;
import dev.midcourse.hub.Hub;
import dev.midcourse.hub.SettingsFile;
import dev.midcourse.hub.Staff;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * How fast files are: a task of a lead until its steer is in the input of a worker that is a
 * program, an ack until its row, a worker's words until the lead's notice, and a thousand tasks at
 * once.
 */
final class MailboxLatency implements Benchmark {
  private static final int SAMPLES = 100;
  private static final int BURST = 1_000;
  private static final int RUNS = 20;
  private static final int LIVE = 20;
  private static final String SETTINGS =
      """
      [workers.stdio]
      agent = "rehearsal"
      at_once = 100

      [workers.files]
      agent = "foreign"
      at_once = 100

      [groups.lead]
      role = "lead"
      workers = ["stdio", "files"]
      """;

  private static final String PROGRESS =
      "{\"kind\":\"worker_progress\",\"summary\":\"working\",\"seq\":1}";
  private static final String RESULT =
      "{\"kind\":\"worker_result\",\"status\":\"error\",\"error\":\"enough\"}";

  /** Runs of the worker that have not ended yet. */
  private final Queue<String> begun = new ArrayDeque<>();

  private int numbers;

  @Override
  public String name() {
    return "mailbox";
  }

  @Override
  public String title() {
    return "Mailboxes of files";
  }

  @Override
  public String question() {
    return "files as a door: a task until it is a steer in the worker's input, an ack until its row,"
        + " a worker's word until the lead is told";
  }

  @Override
  public void run(Path root, Report report) throws Exception {
    Path data = Folders.make();
    Files.writeString(data.resolve(SettingsFile.NAME), SETTINGS);
    Map<SteerId, Long> written = new ConcurrentHashMap<>();
    Staff staff =
        host ->
            Drivers.of(
                Map.of(
                    AgentName.of("rehearsal"),
                    new TappedDriver(new RehearsalDriver(host), written)));
    try (Hub hub = Hub.start(SettingsFile.read(data).withPort(0), staff)) {
      Engine engine = hub.engine();
      Path lead = data.resolve("ipc/lead");
      Path worker = data.resolve("ipc/files");
      for (int i = 0; i < LIVE; i++) {
        String run = "sync-stdio-" + i;
        task(lead, "start-" + i + ".json", dispatch("stdio", run));
        until(() -> turn(engine, run) > 0);
      }
      Compiled.by(() -> tasks(engine, written, lead, SAMPLES));
      times(
          "task file → steer in the worker's input",
          5,
          () -> tasks(engine, written, lead, SAMPLES),
          report);
      for (int i = 0; i < LIVE; i++) {
        begin(engine, lead, worker, "sync-acks-" + i);
        progressed(engine, worker, "sync-acks-" + i);
      }
      Compiled.by(() -> acks(engine, lead, worker, SAMPLES));
      times("ack file → row", 5, () -> acks(engine, lead, worker, SAMPLES), report);
      times("progress file → notice for the lead", 10, () -> news(engine, lead, worker), report);
      times("last word → notice for the lead", 10, () -> ends(engine, worker), report);
      burst(lead, BURST / 5);
      try (Pace pace = new Pace()) {
        Pace.Kept<Double> kept = pace.figure(() -> burst(lead, BURST));
        report.figure("1,000 task files drained", kept.found(), "ms", Goal.most(1_000));
        report.rounds("1,000 task files drained", kept);
      }
      for (RunId run : engine.attended()) {
        engine.runs().stop(run, Author.person("bench"));
      }
      until(() -> engine.attended().isEmpty());
    } finally {
      Folders.delete(data);
    }
  }

  private static void times(String what, int most, Callable<Samples> round, Report report)
      throws Exception {
    try (Pace pace = new Pace()) {
      Pace.Kept<Samples> kept = pace.samples(round);
      report.times(what, kept.found(), Goal.most(most));
      report.rounds(what, kept);
    }
  }

  /** A lead that never reads what it is told would soon be told no more. */
  private static void read(Path lead) throws IOException {
    try (Stream<Path> letters = Files.list(lead.resolve("input"))) {
      for (Path letter : letters.filter(it -> it.toString().endsWith(".json")).toList()) {
        Files.deleteIfExists(letter);
      }
    }
  }

  private Samples tasks(Engine engine, Map<SteerId, Long> written, Path lead, int count)
      throws IOException, InterruptedException {
    read(lead);
    List<Duration> times = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      RunId run = RunId.of("sync-stdio-" + i % LIVE);
      long before = steers(engine, run);
      long begun = System.nanoTime();
      task(lead, next() + ".json", steer(run.value(), "remark " + i));
      SteerId steer = next(engine, run, before);
      until(() -> written.containsKey(steer));
      times.add(Duration.ofNanos(written.getOrDefault(steer, begun) - begun));
    }
    return new Samples(times);
  }

  private Samples acks(Engine engine, Path lead, Path worker, int count)
      throws IOException, InterruptedException {
    read(lead);
    List<Duration> times = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      RunId run = RunId.of("sync-acks-" + i % LIVE);
      long before = steers(engine, run);
      task(lead, next() + ".json", steer(run.value(), "remark " + i));
      SteerId steer = next(engine, run, before);
      Path file = worker.resolve("steer/" + run + ".json");
      until(() -> Files.exists(file));
      Files.delete(file);
      long begun = System.nanoTime();
      put(
          worker.resolve("steer"),
          run + ".acked.json",
          "{\"steer_id\":\"" + steer + "\",\"acked_at\":\"now\",\"injected_at\":\"now\"}");
      until(() -> engine.ledger().read(r -> r.steer(steer)).orElseThrow().reached(Rung.ACCEPTED));
      times.add(Duration.ofNanos(System.nanoTime() - begun));
    }
    return new Samples(times);
  }

  /** From the first word of a run: what follows it within five seconds would wait for them. */
  private Samples news(Engine engine, Path lead, Path worker)
      throws IOException, InterruptedException {
    List<Duration> times = new ArrayList<>();
    for (int i = 0; i < RUNS; i++) {
      String run = "sync-notice-" + next();
      begin(engine, lead, worker, run);
      begun.add(run);
      times.add(told(engine, worker, run, PROGRESS, Sign.PROGRESS));
    }
    return new Samples(times);
  }

  private Samples ends(Engine engine, Path worker) throws IOException, InterruptedException {
    List<Duration> times = new ArrayList<>();
    for (int i = 0; i < RUNS; i++) {
      times.add(told(engine, worker, begun.remove(), RESULT, Sign.ENDED));
    }
    return new Samples(times);
  }

  /** How long from a file of the worker until the lead is told so. */
  private Duration told(Engine engine, Path worker, String run, String letter, Sign sign)
      throws IOException, InterruptedException {
    AtomicLong told = new AtomicLong();
    engine
        .notices()
        .add(notice -> {
          if (notice.run().value().equals(run) && notice.sign() == sign) {
            told.compareAndSet(0, System.nanoTime());
          }
        });
    long written = System.nanoTime();
    put(worker.resolve("progress/" + run), next() + ".json", letter);
    until(() -> told.get() != 0);
    return Duration.ofNanos(told.get() - written);
  }

  private double burst(Path lead, int count) throws IOException, InterruptedException {
    read(lead);
    Path tasks = lead.resolve("tasks");
    Path aside = Files.createDirectories(lead.resolve("prepared"));
    List<String> files = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      String file = next() + ".json";
      Files.writeString(aside.resolve(file), steer("sync-stdio-" + i % LIVE, "burst " + i));
      files.add(file);
    }
    long begun = System.nanoTime();
    for (String file : files) {
      Files.move(aside.resolve(file), tasks.resolve(file), StandardCopyOption.ATOMIC_MOVE);
    }
    until(() -> {
      try (Stream<Path> left = Files.list(tasks)) {
        return left.findAny().isEmpty();
      } catch (IOException e) {
        return false;
      }
    });
    return (System.nanoTime() - begun) / 1e6;
  }

  /** A number that no other file has. */
  private String next() {
    numbers++;
    return "%06d".formatted(numbers);
  }

  private static void begin(Engine engine, Path lead, Path worker, String run)
      throws IOException, InterruptedException {
    task(lead, "start-" + run + ".json", dispatch("files", run));
    Path input = worker.resolve("input/" + run + "-1-1.json");
    until(() -> Files.exists(input));
    Files.delete(input);
    until(() -> turn(engine, run) > 0);
  }

  private static void progressed(Engine engine, Path worker, String run)
      throws IOException, InterruptedException {
    put(worker.resolve("progress/" + run), "t-1.json", PROGRESS);
    until(() ->
        engine
            .ledger()
            .read(r -> r.run(RunId.of(run)))
            .filter(it -> it.progress().isPresent())
            .isPresent());
  }

  private static int turn(Engine engine, String run) {
    return engine.ledger().read(r -> r.run(RunId.of(run))).map(it -> it.turn()).orElse(0);
  }

  private static long steers(Engine engine, RunId run) {
    return engine.ledger().read(r -> r.run(run)).orElseThrow().steers();
  }

  /** The steer after so many, once it is stored. */
  private static SteerId next(Engine engine, RunId run, long before) throws InterruptedException {
    until(() -> steers(engine, run) > before);
    return engine.ledger().read(r -> r.openSteersAfter(run, before)).getFirst().id();
  }

  private static void until(BooleanSupplier holds) throws InterruptedException {
    while (!holds.getAsBoolean()) {
      Thread.sleep(Duration.ofNanos(200_000));
    }
  }

  private static void task(Path lead, String name, String json) throws IOException {
    put(lead.resolve("tasks"), name, json);
  }

  private static void put(Path folder, String name, String json) throws IOException {
    Path hidden = folder.resolve("." + name);
    Files.writeString(hidden, json);
    Files.move(hidden, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE);
  }

  private static String steer(String run, String text) {
    return "{\"type\":\"steer_worker\",\"run_id\":\"%s\",\"message\":\"%s\"}".formatted(run, text);
  }

  private static String dispatch(String worker, String run) {
    return """
    {"type": "dispatch", "worker": "%s", "dispatch": {"run_id": "%s", "task_type": "test",
     "context_intent": "fresh", "input": "Wait:\\n%s", "repo": "acme/shop",
     "branch": "jarvis-x", "acceptance_tests": ["it answers"],
     "output_contract": {"required_fields": ["run_id", "branch", "commit_sha",
       "files_changed", "test_result", "risk", "pr_skipped_reason"]}}}\
    """
        .formatted(worker, run, "$ sleep 3600");
  }
}
