package dev.midcourse.proof.bench;

import dev.midcourse.agents.Drivers;
import dev.midcourse.agents.process.ProcessHost;
import dev.midcourse.agents.rehearsal.RehearsalDriver;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.event.RunEvent;
import dev.midcourse.core.id.AgentName;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.steer.Author;
import dev.midcourse.core.steer.Rung;
import dev.midcourse.core.watch.Notice.Sign;
import dev.midcourse.engine.Engine;
import dev.midcourse.hub.Hub;
import dev.midcourse.hub.settings.SettingsFile;
import dev.midcourse.ledger.Log;
import dev.midcourse.ledger.json.JsonCodec;
import dev.midcourse.proof.bench.fixture.Folders;
import dev.midcourse.proof.bench.fixture.JournaledDisk;
import dev.midcourse.proof.bench.fixture.TappedDriver;
import dev.midcourse.proof.bench.measure.Benchmark;
import dev.midcourse.proof.bench.measure.Goal;
import dev.midcourse.proof.bench.measure.Pace;
import dev.midcourse.proof.bench.measure.Report;
import dev.midcourse.proof.bench.measure.Samples;
import dev.midcourse.proof.bench.measure.WarmUp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Measures file mailboxes: from a lead's task to the input of a worker that is a program, from an
 * ack file to its row, from a worker's progress file to the notice for the lead, and a thousand
 * tasks at once.
 */
final class MailboxLatency implements Benchmark {
  private static final int SAMPLES = 100;
  private static final int BURST = 1_000;
  private static final Duration QUIET_TIME = Duration.ofSeconds(3);
  private static final Path MEMORY = Path.of("/dev/shm");
  private static final int RUNS = 20;
  private static final int LIVE = 20;
  private static final Duration MAX_LENGTH = Duration.ofMinutes(1);
  private static final Duration NOTICE_INTERVAL = Duration.ofSeconds(6);

  /**
   * Polling interval for steps that are not measured or take much longer. Frequent polling would
   * occupy a core.
   */
  private static final Duration LOOK = Duration.ofMillis(5);

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
    return "File mailboxes";
  }

  @Override
  public String question() {
    return "a task file until it is a steer in the worker's input, an ack until its row, a progress"
        + " file until the notice of the lead";
  }

  @Override
  public void run(Path root, Report report) throws Exception {
    inMailboxHub(
        Optional.empty(), (engine, written, data) -> latencies(engine, written, data, report));
    // This part has its own hub, because its steers stay open and would slow down the measured
    // ones.
    inMailboxHub(
        Optional.empty(),
        (_, _, data) -> WarmUp.by(() -> burst(data.resolve("ipc/lead"), BURST / 5)));
    String drained = "1,000 task files drained";
    inMailboxHub(Optional.empty(), (_, _, data) -> beside(data, drained, "", report));
    Optional<JournaledDisk> journaled = JournaledDisk.make();
    if (journaled.isPresent()) {
      try (JournaledDisk disk = journaled.get()) {
        inMailboxHub(
            Optional.of(disk.path()),
            (_, _, data) -> beside(data, drained, ", ext4 with a journal", report));
      }
    } else {
      report.note("Not measured: an ext4 with a journal, which only root can mount.");
    }
    if (Files.isWritable(MEMORY)) {
      inMailboxHub(
          Optional.of(MEMORY), (_, _, data) -> beside(data, drained, ", files in memory", report));
    }
    report.note(
        "A mailbox contains thousands of small files for a short time each. Some kernels create"
            + " files slowly: for each new file, ext4 without a journal, as on some virtual"
            + " machines, searches all files that were deleted in the last minutes. So the burst"
            + " is measured on the disk of this machine, on an ext4 with default options, and in"
            + " memory, each beside a loop that shows the cost of the files alone. A hub"
            + " preallocates the files of its messages while it writes none: as many as the"
            + " largest burst so far has used. So a burst here follows three seconds of"
            + " inactivity, after a burst of the same size that does not count. `ipc` may be a"
            + " link to another disk or to memory; the ledger stays.");
  }

  private interface Measuring {
    void in(Engine engine, Map<SteerId, Long> written, Path data) throws Exception;
  }

  /**
   * Runs a measurement in a hub with a lead and with workers that are started programs.
   *
   * @param elsewhere where its mailboxes are, if not in its data folder
   */
  private static void inMailboxHub(Optional<Path> elsewhere, Measuring measuring) throws Exception {
    Path data = Folders.make();
    Optional<Path> mail = Optional.empty();
    if (elsewhere.isPresent()) {
      mail = Optional.of(Files.createTempDirectory(elsewhere.get(), "midcourse-bench"));
      Files.createSymbolicLink(data.resolve("ipc"), mail.get());
    }
    Files.writeString(data.resolve(SettingsFile.NAME), SETTINGS);
    Map<SteerId, Long> written = new ConcurrentHashMap<>();
    Function<ProcessHost, Drivers> drivers =
        host ->
            Drivers.of(
                Map.of(
                    AgentName.of("rehearsal"),
                    new TappedDriver(new RehearsalDriver(host), written)));
    try (Hub hub = Hub.start(SettingsFile.read(data).withPort(0), drivers)) {
      Engine engine = hub.engine();
      Path lead = data.resolve("ipc/lead");
      for (int i = 0; i < LIVE; i++) {
        String run = "sync-stdio-" + i;
        task(lead, "start-" + i + ".json", dispatch("stdio", run));
        until(() -> turn(engine, run) > 0);
      }
      measuring.in(engine, written, data);
      for (RunId run : engine.attended()) {
        stop(engine, run);
      }
      until(() -> engine.attended().isEmpty());
    } finally {
      Folders.delete(data);
      if (mail.isPresent()) {
        Folders.delete(mail.get());
      }
    }
  }

  private static void stop(Engine engine, RunId run) {
    try {
      engine.runs().stop(run, Author.person("bench"));
    } catch (RefusedException ended) {
      // The run has already ended.
    }
  }

  private void latencies(Engine engine, Map<SteerId, Long> written, Path data, Report report)
      throws Exception {
    Path lead = data.resolve("ipc/lead");
    Path worker = data.resolve("ipc/files");
    WarmUp.by(() -> tasks(engine, written, lead, SAMPLES));
    times(
        "task file → steer in the worker's input",
        5,
        () -> tasks(engine, written, lead, SAMPLES),
        report);
    for (int i = 0; i < LIVE; i++) {
      begin(engine, lead, worker, "sync-acks-" + i);
      progressed(engine, worker, "sync-acks-" + i);
    }
    WarmUp.by(() -> acks(engine, lead, worker, SAMPLES));
    times("ack file → row", 5, () -> acks(engine, lead, worker, SAMPLES), report);
    times("progress file → notice for the lead", 10, () -> news(engine, lead, worker), report);
    times("result file → notice for the lead", 10, () -> ends(engine, worker), report);
  }

  /** Measures the burst, and a loop that only writes the same files in the same place. */
  private void beside(Path data, String drained, String where, Report report) throws Exception {
    drained(data, drained + where, report);
    String bare = "1,000 answers by a loop that does nothing else" + where;
    try (Pace pace = new Pace()) {
      Pace.Kept<Double> least = pace.figure(() -> onlyFiles(data.resolve("ipc/lead"), BURST));
      report.figure(bare, least.found(), "ms");
      report.rounds(bare, least);
    }
  }

  private void drained(Path data, String what, Report report) throws Exception {
    Path lead = data.resolve("ipc/lead");
    double _ = burst(lead, BURST); // after this, the folder has room for this number of messages
    try (Pace pace = new Pace()) {
      Pace.Kept<Double> kept = pace.figure(() -> burst(lead, BURST));
      report.figure(what, kept.found(), "ms", Goal.most(1_000));
      report.rounds(what, kept);
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

  /** Deletes the lead's messages, because the hub stops writing for a lead that does not read. */
  private static void read(Path lead) throws IOException {
    try (Stream<Path> messages = Files.list(lead.resolve("input"))) {
      for (Path message : messages.filter(it -> it.toString().endsWith(".json")).toList()) {
        Files.deleteIfExists(message);
      }
    }
  }

  private Samples tasks(Engine engine, Map<SteerId, Long> written, Path lead, int count)
      throws IOException, InterruptedException {
    read(lead);
    List<Duration> times = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      RunId run = RunId.of("sync-stdio-" + i % LIVE);
      long before = engine.ledger().log().newest();
      long begun = put(lead.resolve("tasks"), next() + ".json", steer(run.value(), "remark " + i));
      SteerId steer = stored(engine, run, before);
      engine.steering().await(steer, Rung.ACCEPTED, MAX_LENGTH);
      times.add(Duration.ofNanos(Objects.requireNonNull(written.get(steer)) - begun));
    }
    return new Samples(times);
  }

  private Samples acks(Engine engine, Path lead, Path worker, int count)
      throws IOException, InterruptedException {
    read(lead);
    List<Duration> times = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      RunId run = RunId.of("sync-acks-" + i % LIVE);
      long before = engine.ledger().log().newest();
      task(lead, next() + ".json", steer(run.value(), "remark " + i));
      SteerId steer = stored(engine, run, before);
      Path file = worker.resolve("steer/" + run + ".json");
      until(() -> Files.exists(file));
      Files.delete(file);
      long begun =
          put(
              worker.resolve("steer"),
              run + ".acked.json",
              "{\"steer_id\":\"" + steer + "\",\"acked_at\":\"now\",\"injected_at\":\"now\"}");
      engine.steering().await(steer, Rung.ACCEPTED, MAX_LENGTH);
      times.add(Duration.ofNanos(System.nanoTime() - begun));
    }
    return new Samples(times);
  }

  /**
   * Measures progress of runs without a recent notice, because a notice soon after another is
   * delayed.
   */
  private Samples news(Engine engine, Path lead, Path worker)
      throws IOException, InterruptedException {
    List<String> runs = new ArrayList<>();
    for (int i = 0; i < RUNS; i++) {
      String run = "sync-notice-" + next();
      begin(engine, lead, worker, run);
      runs.add(run);
    }
    begun.addAll(runs);
    Thread.sleep(NOTICE_INTERVAL); // wait after the notice that the turn has begun
    List<Duration> times = new ArrayList<>();
    for (String run : runs) {
      times.add(noticeLatency(engine, worker, run, PROGRESS, Sign.PROGRESS));
    }
    return new Samples(times);
  }

  private Samples ends(Engine engine, Path worker) throws IOException, InterruptedException {
    List<Duration> times = new ArrayList<>();
    for (int i = 0; i < RUNS; i++) {
      times.add(noticeLatency(engine, worker, begun.remove(), RESULT, Sign.ENDED));
    }
    return new Samples(times);
  }

  /** Returns the time from a file of the worker to the notice for the lead. */
  private Duration noticeLatency(Engine engine, Path worker, String run, String message, Sign sign)
      throws IOException, InterruptedException {
    CompletableFuture<Long> noticeLatency = new CompletableFuture<>();
    engine
        .notices()
        .add(notice -> {
          if (notice.run().value().equals(run) && notice.sign() == sign) {
            boolean _ = noticeLatency.complete(System.nanoTime());
          }
        });
    long written = put(worker.resolve("progress/" + run), next() + ".json", message);
    return Duration.ofNanos(noticeLatency.join() - written);
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
    if (count == BURST) {
      Thread.sleep(QUIET_TIME);
      read(lead); // the last receipts of the previous burst
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

  /**
   * Measures the minimum disk work of a burst: it writes one message and deletes one task for each
   * task.
   */
  private static double onlyFiles(Path lead, int count) throws IOException {
    read(lead);
    Path from = lead.resolve("prepared");
    Path to = lead.resolve("input");
    for (int i = 0; i < count; i++) {
      Files.writeString(from.resolve(i + ".json"), steer("sync-stdio-0", "burst " + i));
    }
    String answer = "{\"kind\":\"receipt\",\"text\":\"%s\"}".formatted("-".repeat(800));
    long begun = System.nanoTime();
    for (int i = 0; i < count; i++) {
      long _ = put(to, i + ".json", answer);
      Files.delete(from.resolve(i + ".json"));
    }
    return (System.nanoTime() - begun) / 1e6;
  }

  /** Returns a number that no other file has. */
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
    long _ = put(worker.resolve("progress/" + run), "t-1.json", PROGRESS);
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

  /**
   * Waits for the first steer of the run that is stored after this position, and returns its id.
   */
  private static SteerId stored(Engine engine, RunId run, long before) throws InterruptedException {
    Log.Filter filter = Log.Filter.of(run, RunEvent.SteerStored.class);
    Log.Page page = engine.ledger().log().await(before, filter, 1, MAX_LENGTH);
    String json = page.entries().getFirst().json();
    return SteerId.of(JsonCodec.mapper().readTree(json).get("steer_id").asString());
  }

  private static void until(BooleanSupplier holds) throws InterruptedException {
    while (!holds.getAsBoolean()) {
      Thread.sleep(LOOK);
    }
  }

  private static void task(Path lead, String name, String json) throws IOException {
    long _ = put(lead.resolve("tasks"), name, json);
  }

  /**
   * Writes a file and renames it to its final name; returns the time just before the rename, which
   * is the start of the measurement.
   */
  private static long put(Path folder, String name, String json) throws IOException {
    Path hidden = folder.resolve("." + name);
    Files.writeString(hidden, json);
    long begun = System.nanoTime();
    Files.move(hidden, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE);
    return begun;
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
