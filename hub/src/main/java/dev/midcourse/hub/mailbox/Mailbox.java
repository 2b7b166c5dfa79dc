package dev.midcourse.hub.mailbox;

import static java.util.Comparator.naturalOrder;

import dev.midcourse.agents.mail.DirectoryHandle;
import dev.midcourse.agents.mail.MailboxDirectory;
import dev.midcourse.agents.mail.PreallocatedFiles;
import dev.midcourse.agents.mail.QuarantineFolder;
import dev.midcourse.agents.process.os.DirectoryWatcher;
import dev.midcourse.core.authority.Caller;
import dev.midcourse.core.authority.Group;
import dev.midcourse.core.id.IdempotencyKey;
import dev.midcourse.core.json.JsonInput;
import dev.midcourse.core.json.JsonValue;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.steer.Steer;
import dev.midcourse.hub.api.operation.HubOperations;
import dev.midcourse.hub.mailbox.InboxMessages.InboxMessage;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The mailbox of one group. Handles tasks in the order of their file names and deletes a task when
 * its answer is in {@code input}. A file in the folder counts as written by the group. Each mailbox
 * has its own reader thread.
 */
final class Mailbox implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(Mailbox.class.getName());
  private static final List<String> ASKING = List.of("tasks", "messages");
  private static final int MAX_TASK = 512 * 1024;

  /** The maximum of tasks that are in progress at once. */
  private static final int MAX_AT_ONCE = 2_000;

  private static final long MAX_BYTES_AT_ONCE = 8L * 1024 * 1024;
  private static final Duration RESCAN_INTERVAL = Duration.ofSeconds(5);
  private static final Duration RETRY_DELAY = Duration.ofMillis(100);
  private static final Duration INCOMPLETE_FILE_TIMEOUT = Duration.ofSeconds(2);

  private final Group group;
  private final MailboxDirectory box;
  private final GroupInbox input;
  private final ReplyWriter answers;
  private final QuarantineFolder errors;
  private final TaskHandler tasks;
  private final DirectoryWatcher watch;
  private final InstantSource clock;
  private final Semaphore signal = new Semaphore(1);

  /** The folders that have changed. */
  private final Set<String> rung = ConcurrentHashMap.newKeySet();

  /** The tasks in progress, with their size in bytes. */
  private final Map<String, Long> underWay = new ConcurrentHashMap<>();

  private final AtomicLong bytesUnderWay = new AtomicLong();

  private final UnansweredTasks unanswered = new UnansweredTasks(System::nanoTime);
  private final List<DirectoryWatcher.Registration> registrations = new ArrayList<>();
  private final Thread reader;
  private volatile boolean closed;

  Mailbox(
      Group group,
      MailboxDirectory box,
      PreallocatedFiles blanks,
      HubOperations operations,
      TaskHandler.Delivery delivery,
      DirectoryWatcher watch,
      InstantSource clock) {
    this.group = group;
    this.box = box;
    this.input = new GroupInbox(group.name(), box.in("input"), blanks, clock);
    this.answers = new ReplyWriter(group.name().value(), input, this::answered);
    this.errors = new QuarantineFolder(box.in("errors"));
    this.tasks =
        new TaskHandler(
            new Caller.Member(group, TaskHandler.ORIGIN, Optional.empty()), operations, delivery);
    this.watch = watch;
    this.clock = clock;
    this.reader =
        Thread.ofPlatform().daemon().name("mailbox-" + group.name()).unstarted(this::runReader);
  }

  void open() throws IOException {
    for (String folder : List.of("input", "steer", "progress", "tasks", "messages")) {
      box.in(folder).made();
    }
    for (String folder : ASKING) {
      registrations.add(watch.register(box.in(folder).path(), file -> changed(folder, file)));
    }
    answers.start();
    reader.start();
  }

  private void changed(String folder, Optional<String> file) {
    if (file.isEmpty() || MailboxDirectory.isWhole(file.get())) {
      rung.add(folder);
      signal.release();
    }
  }

  /** Reads changed and unfinished folders, and all folders once per interval. */
  private void runReader() {
    Set<String> unfinished = Set.copyOf(ASKING);
    long lookedEverywhere = System.nanoTime();
    try {
      while (true) {
        Duration wait = unfinished.isEmpty() ? RESCAN_INTERVAL : RETRY_DELAY;
        signal.tryAcquire(wait.toMillis(), TimeUnit.MILLISECONDS);
        signal.drainPermits();
        Set<String> where = new HashSet<>(rung);
        rung.removeAll(where);
        where.addAll(unfinished);
        if (System.nanoTime() - lookedEverywhere >= RESCAN_INTERVAL.toNanos()) {
          lookedEverywhere = System.nanoTime();
          where.addAll(ASKING);
        }
        unfinished = look(where);
      }
    } catch (InterruptedException end) {
      // The mailbox is closed.
    }
  }

  /** Begins the tasks in these folders. Returns the folders in which some could not be begun. */
  private Set<String> look(Set<String> where) {
    if (!where.isEmpty() && input.full()) {
      return where;
    }
    Set<String> unfinished = new HashSet<>();
    Map<String, Run> known = new HashMap<>();
    for (String name : ASKING.stream().filter(where::contains).toList()) {
      MailboxDirectory folder = box.in(name);
      try {
        if (!folder.<Boolean>opened(open -> beginAll(open, folder, known))) {
          unfinished.add(name);
        }
      } catch (IOException e) {
        LOG.log(
            Level.WARNING,
            "Reading the mailbox of group {0} failed ({1}); retrying.",
            group.name(),
            e.getMessage());
        unfinished.add(name);
      }
    }
    return unfinished;
  }

  /** Begins the tasks of one folder. Returns whether all could be begun. */
  private boolean beginAll(DirectoryHandle open, MailboxDirectory folder, Map<String, Run> known)
      throws IOException {
    DirectoryHandle.Names names =
        open.names(
            name -> !underWay.containsKey(id(folder, name)),
            naturalOrder(),
            MAX_AT_ONCE - underWay.size());
    for (Path file : names.misnamed()) {
      boolean _ = errors.putMisnamed(folder, file);
    }
    boolean all = !names.more();
    for (String name : names.first()) {
      if (bytesUnderWay.get() >= MAX_BYTES_AT_ONCE) {
        return false;
      }
      all &= begin(open, folder, name, known);
    }
    return all;
  }

  private static String id(MailboxDirectory folder, String name) {
    return folder.steps().getLast() + "/" + name;
  }

  /** Begins one task. Returns false if its file is not complete yet. */
  private boolean begin(
      DirectoryHandle open, MailboxDirectory folder, String name, Map<String, Run> known)
      throws IOException {
    try {
      Optional<MailboxDirectory.MailFile> found = open.read(name, MAX_TASK);
      Optional<JsonValue> task =
          found.map(MailboxDirectory.MailFile::text).flatMap(JsonInput::parse);
      if (task.isPresent() && task.get() instanceof JsonValue.Obj fields) {
        MailboxDirectory.MailFile file = found.get();
        underWay.put(id(folder, name), file.size());
        bytesUnderWay.addAndGet(file.size());
        boolean inMessages = folder.steps().getLast().equals("messages");
        TaskHandler.Task its =
            new TaskHandler.Task(fields, TaskHandler.key(name, file), inMessages);
        unanswered.add(its.steerKey());
        var _ =
            tasks
                .answer(its, known)
                .thenAccept(
                    reply -> answers.add(new ReplyWriter.Done(folder, name, its, file, reply)));
      } else if (found.isPresent() && task.isEmpty() && young(found.get())) {
        return false;
      } else if (found.isPresent()) {
        boolean _ = errors.put(folder, name, "it is not one JSON object");
      }
    } catch (MailboxDirectory.Unfit unfit) {
      boolean _ = errors.put(folder, name, String.valueOf(unfit.getMessage()));
    }
    return true;
  }

  private boolean young(MailboxDirectory.MailFile found) {
    return clock.instant().isBefore(found.changed().plus(INCOMPLETE_FILE_TIMEOUT));
  }

  private void answered(ReplyWriter.Done task, boolean another) {
    unanswered.answered(task.task().steerKey());
    Optional.ofNullable(underWay.remove(id(task.from(), task.file())))
        .ifPresent(bytes -> bytesUnderWay.addAndGet(-bytes));
    if (another) {
      changed(task.from().steps().getLast(), Optional.empty());
    }
  }

  /** Returns whether the receipt of this steer waits for answers to tasks. */
  boolean answersFirst(Steer steer) {
    return unanswered.delaysReceipt(steer.key().map(IdempotencyKey::value));
  }

  /** Returns whether the group has the maximum of unread messages. */
  boolean full() {
    return input.full();
  }

  /**
   * Writes a message to the inbox. Drops a dispensable one if the group does not read. Returns
   * false if it could not be written.
   */
  boolean post(InboxMessage message) {
    return !closed && input.put(input.numbered(message));
  }

  /** Writes messages in order until one fails. Returns the number of written messages. */
  int postAll(List<GroupInbox.NumberedFile> messages) {
    return closed ? 0 : input.putAll(messages);
  }

  @Override
  public void close() {
    closed = true;
    registrations.forEach(DirectoryWatcher.Registration::close);
    answers.close();
    reader.interrupt();
  }
}
