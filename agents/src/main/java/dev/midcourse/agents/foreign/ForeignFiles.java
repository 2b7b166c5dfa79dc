package dev.midcourse.agents.foreign;

import dev.midcourse.agents.Order;
import dev.midcourse.agents.foreign.ForeignLetters.Letter;
import dev.midcourse.agents.foreign.ForeignLetters.Post;
import dev.midcourse.agents.mail.MailFolder;
import dev.midcourse.agents.stdio.Json;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SteerId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import tools.jackson.databind.node.ObjectNode;

/** The files of one attempt in a worker's mailbox: where each is and how it is written. */
final class ForeignFiles {
  private static final int LARGEST_PROGRESS = 1024 * 1024;
  private static final String ACKED = ".acked.json";
  private static final int LARGEST_ACK = 4096;
  private static final Pattern FROM = Pattern.compile("^\\[midcourse steer \\S+ from (\\S+) via ");

  private final MailFolder box;
  private final MailFolder input;
  private final MailFolder steers;
  private final MailFolder progress;
  private final RunId run;
  private final int attempt;
  private final InstantSource clock;
  private final ForeignLetters letters;
  private final ToldProgress toldProgress;

  /** The attempt's own folder, which the worker cannot reach: which tasks were written. */
  private final Path ours;

  ForeignFiles(MailFolder box, Order order, InstantSource clock) {
    RunId its = order.run();
    this.box = box;
    this.input = box.in("input");
    this.steers = box.in("steer");
    this.progress = box.in("progress").in(its.value());
    this.run = its;
    this.attempt = order.attempt();
    this.ours = order.folder();
    this.clock = clock;
    this.letters = new ForeignLetters(box, its, attempt, clock);
    this.toldProgress = new ToldProgress(progress);
  }

  void made() throws IOException {
    Files.createDirectories(ours);
    input.made();
    steers.made();
    progress.made();
    box.in("tasks").made();
    box.in("messages").made();
  }

  /**
   * Puts aside what lies there from before: it is not of this attempt. Done once, since what lies
   * there later is.
   */
  void begin() throws IOException {
    Path begun = ours.resolve("begun");
    if (Files.notExists(begun)) {
      String why = "it was there before attempt " + attempt + " began";
      letters.asideAll(progress, _ -> true, why);
      toldProgress.forget();
      letters.asideAll(steers, this::isAck, why);
      forgetSteer();
      Files.createFile(begun);
    } else {
      toldProgress.resume(0);
    }
  }

  MailFolder progressFolder() {
    return progress;
  }

  ToldProgress toldProgress() {
    return toldProgress;
  }

  MailFolder steerFolder() {
    return steers;
  }

  MailFolder inputFolder() {
    return input;
  }

  /** Whether this is a name of our run's acks. */
  boolean isAck(String name) {
    return name.startsWith(run + ".") && name.endsWith(ACKED);
  }

  boolean isSteer(String name) {
    return name.equals(steerName());
  }

  /** Whether this is the name of a task that we wrote. */
  boolean isTask(String name) {
    return name.startsWith(run + "-" + attempt + "-");
  }

  private String inputName(int turn) {
    return run + "-" + attempt + "-" + turn + ".json";
  }

  /** Writes the task, unless it was written before: then it waits there or was taken. */
  void writeTask(int turn, String prompt) throws IOException {
    if (Files.exists(ours.resolve("task-" + turn))) {
      return;
    }
    input.write(inputName(turn), head("worker_run").put("turn", turn).put("prompt", prompt) + "\n");
    Files.createFile(ours.resolve("task-" + turn));
  }

  /** The newest turn whose task was written; 0 when there is none. */
  int newestTask() throws IOException {
    try (Stream<Path> files = Files.list(ours)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.startsWith("task-"))
          .mapToInt(name -> Integer.parseInt(name.substring("task-".length())))
          .max()
          .orElse(0);
    }
  }

  boolean taskWaits(int turn) throws IOException {
    return input.has(inputName(turn));
  }

  void writeStop(int turn) throws IOException {
    input.delete(inputName(turn));
    input.write(run + "-" + attempt + "-stop.json", head("worker_stop") + "\n");
  }

  private ObjectNode head(String kind) {
    return Json.object()
        .put("kind", kind)
        .put("run_id", run.value())
        .put("attempt", attempt)
        .put("timestamp", clock.instant().toString());
  }

  private String steerName() {
    return run + ".json";
  }

  void writeSteer(SteerId steer, String message) throws IOException {
    Matcher from = FROM.matcher(message);
    ObjectNode letter =
        head("worker_steer")
            .put("from_group", from.find() ? from.group(1) : "main")
            .put("message", message)
            .put("steer_id", steer.value());
    steers.write(steerName(), letter + "\n");
  }

  /** Which steer lies there unread; what the worker has made into something else is put aside. */
  Optional<SteerId> steerThatWaits() throws IOException {
    Optional<SteerId> steer = steerIn(steerName());
    if (steer.isEmpty() && steers.has(steerName())) {
      aside(steers, steerName(), "it is not the steer that was written here");
    }
    return steer;
  }

  /** Takes the steer file back; false when the worker was faster. */
  boolean takeBack(SteerId steer) throws IOException {
    String aside = "." + steer + ".back";
    if (!steers.rename(steerName(), aside)) {
      return false;
    }
    boolean ours = steerIn(aside).filter(steer::equals).isPresent();
    if (ours) {
      steers.delete(aside);
    } else {
      steers.rename(aside, steerName());
    }
    return ours;
  }

  private Optional<SteerId> steerIn(String file) throws IOException {
    try {
      return steers
          .read(file, LARGEST_PROGRESS)
          .flatMap(found -> Json.object(found.text()))
          .map(json -> SteerId.of(Json.text(json, "steer_id")));
    } catch (MailFolder.Unfit | RefusedException notOne) {
      return Optional.empty();
    }
  }

  void forgetSteer() throws IOException {
    steers.delete(steerName());
  }

  /**
   * Acks, under one name each as soon as they are found, so that none overwrites another. Those
   * that were kept stay, and are not read again where nothing more is to be learnt of their steer.
   */
  Post acks(Set<String> settled) throws IOException {
    return letters.read(
        steers,
        name -> isAck(name) && !settled.contains(steerOf(name)),
        Comparator.naturalOrder(),
        LARGEST_ACK);
  }

  /** The steer in the name of an ack that was kept; nothing in that of a new one. */
  private String steerOf(String name) {
    int from = run.value().length() + 1;
    int to = name.length() - ACKED.length();
    return from < to ? name.substring(from, to) : "";
  }

  void keepAck(Letter ack, SteerId steer) throws IOException {
    String kept = run + "." + steer + ACKED;
    if (!ack.file().equals(kept)) {
      steers.rename(ack.file(), kept);
    }
  }

  /** Deletes the ack of this steer that was kept. */
  void forgetAck(String steer) throws IOException {
    steers.delete(run + "." + steer + ACKED);
  }

  void forgetAcks() throws IOException {
    for (Letter ack : acks(Set.of()).letters()) {
      steers.delete(ack.file());
    }
  }

  /** What the worker says it does, oldest first, but for what was told. */
  Post progress(Set<String> told) throws IOException {
    return letters.read(
        progress, name -> !told.contains(name), ForeignLetters.BY_NUMBER, LARGEST_PROGRESS);
  }

  /** The files of the first so many results. */
  List<String> results(int most) throws IOException {
    return letters
        .files(progress, ForeignLetters.BY_NUMBER, LARGEST_PROGRESS, Letter::isResult)
        .stream()
        .limit(most)
        .toList();
  }

  void aside(MailFolder folder, String name, String why) {
    letters.aside(folder, name, why);
  }
}
