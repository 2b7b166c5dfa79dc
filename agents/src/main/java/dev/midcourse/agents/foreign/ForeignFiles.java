package dev.midcourse.agents.foreign;

import dev.midcourse.agents.Order;
import dev.midcourse.agents.mail.MailFolder;
import dev.midcourse.agents.mail.OpenFolder;
import dev.midcourse.agents.stdio.Json;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SteerId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import tools.jackson.databind.node.ObjectNode;

/**
 * The files of one attempt in a worker's mailbox: where each is, how it is written, and which of
 * those that the worker wrote can be read.
 */
final class ForeignFiles {
  private static final int LARGEST_PROGRESS = 1024 * 1024;
  private static final String ACKED = ".acked.json";
  private static final int LARGEST_ACK = 4096;
  private static final int MOST_AT_ONCE = 1000;
  private static final Duration HALF_WRITTEN = Duration.ofSeconds(2);
  private static final Pattern STAMPED = Pattern.compile("(.*)-(\\d{1,18})\\.json");
  private static final Pattern FROM = Pattern.compile("^\\[midcourse steer \\S+ from (\\S+) via ");

  private final MailFolder box;
  private final MailFolder input;
  private final MailFolder steers;
  private final MailFolder progress;
  private final RunId run;
  private final int attempt;
  private final InstantSource clock;

  /** The attempt's own folder, which the worker cannot reach: which tasks were written. */
  private final Path ours;

  /** A letter of the worker, and the file it was in. */
  record Letter(String file, ObjectNode json) {}

  /** What was found: letters that can be read, and whether some may yet become readable. */
  record Post(List<Letter> letters, boolean unfinished) {}

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
  }

  void made() throws IOException {
    Files.createDirectories(ours);
    input.made();
    steers.made();
    progress.made();
    box.in("tasks").made();
    box.in("messages").made();
  }

  MailFolder progressFolder() {
    return progress;
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
    return steers.opened(open -> {
      List<String> names =
          open.names(name -> isAck(name) && !settled.contains(steerOf(name)), MOST_AT_ONCE);
      return read(steers, open, names, LARGEST_ACK);
    });
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

  void forgetAcks() throws IOException {
    for (Letter ack : acks(Set.of()).letters()) {
      steers.delete(ack.file());
    }
  }

  /** What the worker says it does, oldest first. */
  Post progress() throws IOException {
    return progress.opened(open -> {
      List<String> names = new ArrayList<>(open.names(_ -> true, MOST_AT_ONCE));
      names.sort(
          Comparator.comparing(ForeignFiles::stamp).thenComparingLong(ForeignFiles::sequence));
      return read(progress, open, names, LARGEST_PROGRESS);
    });
  }

  private static String stamp(String name) {
    Matcher matcher = STAMPED.matcher(name);
    return matcher.matches() ? matcher.group(1) : name;
  }

  private static long sequence(String name) {
    Matcher matcher = STAMPED.matcher(name);
    return matcher.matches() ? Long.parseLong(matcher.group(2)) : 0;
  }

  private Post read(MailFolder folder, OpenFolder open, List<String> names, int most)
      throws IOException {
    List<Letter> letters = new ArrayList<>();
    boolean unfinished = false;
    for (String name : names) {
      try {
        Optional<MailFolder.Found> found = open.read(name, most);
        Optional<ObjectNode> json = found.flatMap(file -> Json.object(file.text()));
        if (json.isPresent()) {
          wrong(json.get())
              .ifPresentOrElse(
                  why -> aside(folder, name, why), () -> letters.add(new Letter(name, json.get())));
        } else if (found.isPresent() && young(found.get().changed())) {
          unfinished = true;
        } else if (found.isPresent()) {
          aside(folder, name, "it is not one JSON object");
        }
      } catch (MailFolder.Unfit unfit) {
        aside(folder, name, String.valueOf(unfit.getMessage()));
      }
    }
    return new Post(letters, unfinished);
  }

  /** A worker speaks for its own run, and for the attempt that it was given. */
  private Optional<String> wrong(ObjectNode json) {
    String about = Json.text(json, "run_id");
    if (!about.isEmpty() && !about.equals(run.value())) {
      return Optional.of("it speaks for run " + about + " in the folder of run " + run);
    }
    int of = json.path("attempt").asInt(attempt);
    return of == attempt
        ? Optional.empty()
        : Optional.of("it is of attempt " + of + ", and attempt " + attempt + " has the say");
  }

  private boolean young(Instant changed) {
    return clock.instant().isBefore(changed.plus(HALF_WRITTEN));
  }

  void aside(MailFolder folder, String name, String why) {
    try {
      folder.putAside(name, box.in("errors"), why);
    } catch (IOException e) {
      System.getLogger(ForeignFiles.class.getName())
          .log(
              System.Logger.Level.WARNING, "{0} could not be put aside: {1}", name, e.getMessage());
    }
  }
}
