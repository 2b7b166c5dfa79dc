package dev.midcourse.agents.foreign;

import dev.midcourse.agents.mail.DirectoryHandle;
import dev.midcourse.agents.mail.MailboxDirectory;
import dev.midcourse.agents.mail.QuarantineFolder;
import dev.midcourse.agents.stdio.ProtocolJson;
import dev.midcourse.core.id.RunId;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads the messages that a worker writes about one attempt. Each read is bounded in number and
 * size. A file that is no message, or that belongs to another attempt, is moved to the quarantine
 * folder with the reason.
 */
final class ForeignMessages {
  private static final System.Logger LOG = System.getLogger(ForeignMessages.class.getName());
  private static final int MAX_AT_ONCE = 1000;
  private static final long MAX_BYTES_AT_ONCE = 4L * 1024 * 1024;
  private static final Duration INCOMPLETE_FILE_TIMEOUT = Duration.ofSeconds(2);
  private static final Pattern STAMPED = Pattern.compile("(.*)-(\\d{1,18})\\.json");

  /** Orders names by the time in the name, then by the number after it. */
  static final Comparator<String> BY_NUMBER =
      Comparator.comparing(ForeignMessages::stamp)
          .thenComparingLong(ForeignMessages::sequence)
          .thenComparing(Comparator.naturalOrder());

  private final QuarantineFolder errors;
  private final RunId run;
  private final int attempt;
  private final InstantSource clock;

  ForeignMessages(MailboxDirectory box, RunId run, int attempt, InstantSource clock) {
    this.errors = new QuarantineFolder(box.in("errors"));
    this.run = run;
    this.attempt = attempt;
    this.clock = clock;
  }

  /** A message of the worker, and the name of its file. */
  record WorkerMessage(String file, ObjectNode json) {
    boolean isResult() {
      return ProtocolJson.text(json, "kind").equals("worker_result");
    }
  }

  /** The messages that were read, and whether another read is needed soon. */
  record MessageBatch(List<WorkerMessage> messages, boolean unfinished) {}

  private static String stamp(String name) {
    Matcher matcher = STAMPED.matcher(name);
    return matcher.matches() ? matcher.group(1) : name;
  }

  private static long sequence(String name) {
    Matcher matcher = STAMPED.matcher(name);
    return matcher.matches() ? Long.parseLong(matcher.group(2)) : 0;
  }

  /** Reads the first of the wanted messages, in this order. */
  MessageBatch read(
      MailboxDirectory folder, Predicate<String> wanted, Comparator<String> order, int maxBytes)
      throws IOException {
    return folder.opened(open -> {
      DirectoryHandle.Names names = open.names(wanted, order, MAX_AT_ONCE);
      List<WorkerMessage> messages = new ArrayList<>();
      boolean unfinished = names.more();
      long bytes = 0;
      for (String name : names.first()) {
        if (bytes >= MAX_BYTES_AT_ONCE) {
          return new MessageBatch(messages, true);
        }
        ReadResult reading = read(folder, open, name, maxBytes);
        reading.message().ifPresent(messages::add);
        unfinished |= reading.unfinished();
        bytes += reading.bytes();
      }
      return new MessageBatch(messages, unfinished);
    });
  }

  /**
   * Returns the files of the wanted messages, in this order. Holds one message in memory at a time.
   */
  List<String> files(
      MailboxDirectory folder,
      Comparator<String> order,
      int maxBytes,
      Predicate<WorkerMessage> wanted)
      throws IOException {
    return folder.opened(open -> {
      List<String> files = new ArrayList<>();
      for (String name : open.names(_ -> true, order, MAX_AT_ONCE).first()) {
        if (read(folder, open, name, maxBytes).message().filter(wanted).isPresent()) {
          files.add(name);
        }
      }
      return files;
    });
  }

  /** The result of reading one file. */
  private record ReadResult(Optional<WorkerMessage> message, boolean unfinished, long bytes) {}

  private ReadResult read(MailboxDirectory folder, DirectoryHandle open, String name, int maxBytes)
      throws IOException {
    try {
      Optional<MailboxDirectory.MailFile> found = open.read(name, maxBytes);
      long bytes = found.map(MailboxDirectory.MailFile::size).orElse(0L);
      Optional<ObjectNode> json = found.flatMap(file -> ProtocolJson.object(file.text()));
      if (found.isEmpty()) {
        return new ReadResult(Optional.empty(), false, 0);
      }
      if (json.isEmpty() && young(found.get().changed())) {
        return new ReadResult(Optional.empty(), true, bytes);
      }
      Optional<String> wrong =
          json.map(this::wrong).orElseGet(() -> Optional.of("it is not one JSON object"));
      wrong.ifPresent(why -> aside(folder, name, why));
      return new ReadResult(
          json.filter(_ -> wrong.isEmpty()).map(its -> new WorkerMessage(name, its)), false, bytes);
    } catch (MailboxDirectory.Unfit unfit) {
      aside(folder, name, String.valueOf(unfit.getMessage()));
      return new ReadResult(Optional.empty(), false, 0);
    }
  }

  private boolean young(Instant changed) {
    return clock.instant().isBefore(changed.plus(INCOMPLETE_FILE_TIMEOUT));
  }

  /** Returns the reason if a message belongs to another run or another attempt. */
  private Optional<String> wrong(ObjectNode json) {
    String about = ProtocolJson.text(json, "run_id");
    if (!about.isEmpty() && !about.equals(run.value())) {
      return Optional.of("it speaks for run " + about + " in the folder of run " + run);
    }
    JsonNode of = json.path("attempt");
    if (of.isMissingNode() && attempt > 1) {
      return Optional.of(
          "it does not say of which attempt it is, and attempt " + attempt + " has the say");
    }
    return of.isMissingNode() || of.asInt(0) == attempt
        ? Optional.empty()
        : Optional.of("it is of attempt " + of + ", and attempt " + attempt + " has the say");
  }

  /** Moves all wanted files to the quarantine folder. */
  void asideAll(MailboxDirectory folder, Predicate<String> wanted, String why) throws IOException {
    boolean more = true;
    while (more) {
      DirectoryHandle.Names names =
          folder.opened(open -> open.names(wanted, Comparator.naturalOrder(), MAX_AT_ONCE));
      boolean moved = false;
      for (String name : names.first()) {
        moved |= errors.put(folder, name, why);
      }
      more = moved && names.more();
    }
  }

  void aside(MailboxDirectory folder, String name, String why) {
    try {
      boolean _ = errors.put(folder, name, why);
    } catch (IOException e) {
      LOG.log(
          Level.WARNING,
          "Moving the file {0} of a mailbox to the quarantine folder failed ({1}). It stays, and is read again.",
          name,
          e.getMessage());
    }
  }
}
