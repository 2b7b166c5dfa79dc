package dev.midcourse.agents.foreign;

import dev.midcourse.agents.AttemptSpec;
import dev.midcourse.agents.foreign.ForeignMessages.MessageBatch;
import dev.midcourse.agents.foreign.ForeignMessages.WorkerMessage;
import dev.midcourse.agents.mail.MailboxDirectory;
import dev.midcourse.agents.stdio.ProtocolJson;
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

/** The files of one attempt in a worker's mailbox: their names and their content. */
final class ForeignFiles {
  private static final int MAX_PROGRESS = 1024 * 1024;
  private static final String ACKED = ".acked.json";
  private static final int MAX_ACK = 4096;
  private static final Pattern FROM = Pattern.compile("^\\[midcourse steer \\S+ from (\\S+) via ");

  private final MailboxDirectory box;
  private final MailboxDirectory input;
  private final MailboxDirectory steers;
  private final MailboxDirectory progress;
  private final RunId run;
  private final int attempt;
  private final InstantSource clock;
  private final ForeignMessages messages;
  private final UnconfirmedProgress unconfirmedProgress;

  /**
   * The attempt's own folder, which the worker cannot write to. It records which tasks were
   * written.
   */
  private final Path ours;

  ForeignFiles(MailboxDirectory box, AttemptSpec spec, InstantSource clock) {
    RunId its = spec.run();
    this.box = box;
    this.input = box.in("input");
    this.steers = box.in("steer");
    this.progress = box.in("progress").in(its.value());
    this.run = its;
    this.attempt = spec.attempt();
    this.ours = spec.folder();
    this.clock = clock;
    this.messages = new ForeignMessages(box, its, attempt, clock);
    this.unconfirmedProgress = new UnconfirmedProgress(progress);
  }

  RunId run() {
    return run;
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
   * Moves the files of earlier attempts to the quarantine folder. Done once for each attempt,
   * because later files belong to the attempt.
   */
  void begin() throws IOException {
    Path begun = ours.resolve("begun");
    if (Files.notExists(begun)) {
      String why = "it was there before attempt " + attempt + " began";
      messages.asideAll(progress, _ -> true, why);
      unconfirmedProgress.forget();
      messages.asideAll(steers, this::isAck, why);
      forgetSteer();
      Files.createFile(begun);
    } else {
      unconfirmedProgress.resume(0);
    }
  }

  MailboxDirectory progressFolder() {
    return progress;
  }

  UnconfirmedProgress unconfirmedProgress() {
    return unconfirmedProgress;
  }

  MailboxDirectory steerFolder() {
    return steers;
  }

  MailboxDirectory inputFolder() {
    return input;
  }

  /** Whether this is the name of an ack for this run. */
  boolean isAck(String name) {
    return name.startsWith(run + ".") && name.endsWith(ACKED);
  }

  boolean isSteer(String name) {
    return name.equals(steerName());
  }

  /** Whether this is the name of a task that Midcourse wrote for this attempt. */
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

  /** The newest turn whose task was written; 0 if there is none. */
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
    return ProtocolJson.object()
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
    ObjectNode content =
        head("worker_steer")
            .put("from_group", from.find() ? from.group(1) : "main")
            .put("message", message)
            .put("steer_id", steer.value());
    steers.write(steerName(), content + "\n");
  }

  /**
   * Returns the steer whose file is unread. A file that is no longer that steer is moved to the
   * quarantine folder.
   */
  Optional<SteerId> unreadSteer() throws IOException {
    Optional<SteerId> steer = steerIn(steerName());
    if (steer.isEmpty() && steers.has(steerName())) {
      aside(steers, steerName(), "it is not the steer that was written here");
    }
    return steer;
  }

  /** Withdraws the steer file. Returns false if the worker has taken it. */
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
          .read(file, MAX_PROGRESS)
          .flatMap(found -> ProtocolJson.object(found.text()))
          .map(json -> SteerId.of(ProtocolJson.text(json, "steer_id")));
    } catch (MailboxDirectory.Unfit | RefusedException notOne) {
      return Optional.empty();
    }
  }

  void forgetSteer() throws IOException {
    steers.delete(steerName());
  }

  /**
   * Reads the acks. Each ack that was read is renamed to a name of its own, so that no ack
   * overwrites another. The acks of {@code settled} steers stay and are not read again.
   */
  MessageBatch acks(Set<String> settled) throws IOException {
    return messages.read(
        steers,
        name -> isAck(name) && !settled.contains(steerOf(name)),
        Comparator.naturalOrder(),
        MAX_ACK);
  }

  /** Returns the steer in the name of a kept ack; empty for the name of a new ack. */
  private String steerOf(String name) {
    int from = run.value().length() + 1;
    int to = name.length() - ACKED.length();
    return from < to ? name.substring(from, to) : "";
  }

  void keepAck(WorkerMessage ack, SteerId steer) throws IOException {
    String kept = run + "." + steer + ACKED;
    if (!ack.file().equals(kept)) {
      steers.rename(ack.file(), kept);
    }
  }

  /** Deletes the kept ack of this steer. */
  void forgetAck(String steer) throws IOException {
    steers.delete(run + "." + steer + ACKED);
  }

  void forgetAcks() throws IOException {
    for (WorkerMessage ack : acks(Set.of()).messages()) {
      steers.delete(ack.file());
    }
  }

  /** Reads the progress messages of the worker that were not reported, oldest first. */
  MessageBatch progress(Set<String> reported) throws IOException {
    return messages.read(
        progress, name -> !reported.contains(name), ForeignMessages.BY_NUMBER, MAX_PROGRESS);
  }

  /** Returns the names of the first {@code max} result files. */
  List<String> results(int max) throws IOException {
    return messages
        .files(progress, ForeignMessages.BY_NUMBER, MAX_PROGRESS, WorkerMessage::isResult)
        .stream()
        .limit(max)
        .toList();
  }

  void aside(MailboxDirectory folder, String name, String why) {
    messages.aside(folder, name, why);
  }
}
