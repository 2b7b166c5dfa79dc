package dev.midcourse.hub.mailbox;

import static java.util.Comparator.naturalOrder;

import dev.midcourse.agents.mail.Aside;
import dev.midcourse.agents.mail.MailFolder;
import dev.midcourse.agents.mail.OpenFolder;
import dev.midcourse.agents.process.FolderWatch;
import dev.midcourse.core.authority.Asker;
import dev.midcourse.core.authority.Group;
import dev.midcourse.core.contract.Value;
import dev.midcourse.core.run.Run;
import dev.midcourse.hub.api.Errands;
import dev.midcourse.hub.mailbox.Letters.Letter;
import dev.midcourse.ledger.Log;
import dev.midcourse.ledger.json.JsonText;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The mailbox of one group. Tasks are done in the order of their names and go away when their
 * answer lies in {@code input}; whoever writes into the folder is the group, and nobody else. One
 * thread reads, and no other mailbox waits for it.
 */
final class Mailbox implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(Mailbox.class.getName());
  private static final int LARGEST_TASK = 512 * 1024;
  private static final int MOST_AT_ONCE = 2_000;
  private static final int MOST_UNREAD = 1_000;
  private static final long NET_MILLIS = 5_000;
  private static final long AGAIN_MILLIS = 100;
  private static final Duration HALF_WRITTEN = Duration.ofSeconds(2);

  private final Group group;
  private final MailFolder box;
  private final MailFolder input;
  private final Aside errors;
  private final Tasks tasks;
  private final FolderWatch watch;
  private final InstantSource clock;
  private final Semaphore bell = new Semaphore(1);
  private final AtomicLong count = new AtomicLong();
  private final Set<String> underWay = ConcurrentHashMap.newKeySet();
  private final List<FolderWatch.Registration> registrations = new ArrayList<>();
  private final Thread reader;
  private volatile boolean closed;

  Mailbox(
      Group group,
      MailFolder box,
      Errands errands,
      Tasks.Delivery delivery,
      FolderWatch watch,
      InstantSource clock) {
    this.group = group;
    this.box = box;
    this.input = box.in("input");
    this.errors = new Aside(box.in("errors"));
    this.tasks =
        new Tasks(new Asker.Member(group, Tasks.DOOR, Optional.empty()), errands, delivery);
    this.watch = watch;
    this.clock = clock;
    this.reader = Thread.ofVirtual().name("mailbox-" + group.name()).unstarted(this::readOn);
  }

  void open() throws IOException {
    for (String folder : List.of("input", "steer", "progress", "tasks", "messages")) {
      box.in(folder).made();
    }
    for (String folder : List.of("tasks", "messages")) {
      registrations.add(watch.register(box.in(folder).path(), this::changed));
    }
    reader.start();
  }

  private void changed(Optional<String> file) {
    if (file.isEmpty() || MailFolder.isWhole(file.get())) {
      bell.release();
    }
  }

  private void readOn() {
    long wait = NET_MILLIS;
    try {
      while (true) {
        bell.tryAcquire(wait, TimeUnit.MILLISECONDS);
        bell.drainPermits();
        wait = look() ? AGAIN_MILLIS : NET_MILLIS;
      }
    } catch (InterruptedException end) {
      // Closed.
    }
  }

  /** Does every task that is there; true when one was not finished yet. */
  private boolean look() {
    boolean unfinished = false;
    Map<String, Run> known = new HashMap<>();
    for (String folder : List.of("tasks", "messages")) {
      MailFolder from = box.in(folder);
      try {
        unfinished |= from.opened(open -> beginAll(open, from, folder, known));
      } catch (IOException e) {
        LOG.log(
            Level.WARNING, "the mailbox of {0} cannot be read: {1}", group.name(), e.getMessage());
        unfinished = true;
      }
    }
    return unfinished;
  }

  private boolean beginAll(OpenFolder open, MailFolder from, String folder, Map<String, Run> known)
      throws IOException {
    OpenFolder.Names names = open.names(_ -> true, naturalOrder(), MOST_AT_ONCE);
    boolean unfinished = names.more();
    for (String name : names.first()) {
      if (underWay.add(folder + "/" + name)) {
        unfinished |= !begin(open, from, folder, name, known);
      }
    }
    return unfinished;
  }

  /** Whether nothing more is to be waited for before the file can be read. */
  private boolean begin(
      OpenFolder open, MailFolder from, String folder, String name, Map<String, Run> known)
      throws IOException {
    boolean taken = false;
    try {
      Optional<MailFolder.Found> found = open.read(name, LARGEST_TASK);
      Optional<Value> task = found.map(MailFolder.Found::text).flatMap(JsonText::parse);
      if (task.isPresent() && task.get() instanceof Value.Fields fields) {
        taken = true;
        var _ =
            tasks
                .answer(
                    fields,
                    found.get(),
                    Tasks.key(name, found.get()),
                    folder.equals("messages"),
                    known)
                .thenAccept(letter -> done(from, folder, name, letter));
      } else if (found.isPresent() && task.isEmpty() && young(found.get())) {
        return false;
      } else if (found.isPresent()) {
        boolean _ = errors.put(from, name, "it is not one JSON object");
      }
    } catch (MailFolder.Unfit unfit) {
      boolean _ = errors.put(from, name, String.valueOf(unfit.getMessage()));
    } finally {
      if (!taken) {
        underWay.remove(folder + "/" + name);
      }
    }
    return true;
  }

  private boolean young(MailFolder.Found found) {
    return clock.instant().isBefore(found.changed().plus(HALF_WRITTEN));
  }

  /** A task that is done when the mailbox is closed stays: the next hub finds it and answers. */
  private void done(MailFolder from, String folder, String name, Letter letter) {
    if (closed) {
      return;
    }
    post(letter.answering(name));
    try {
      from.delete(name);
    } catch (IOException e) {
      LOG.log(Level.WARNING, "{0} is done and stays: {1}", name, e.getMessage());
    } finally {
      underWay.remove(folder + "/" + name);
    }
  }

  /** Puts a letter into the group's input; one that it can do without only while it reads. */
  void post(Letter letter) {
    long number = count.incrementAndGet() % 1_000_000;
    put(letter, "%d-%06d".formatted(clock.instant().toEpochMilli(), number));
  }

  /** The same for a letter about an event: told of it again, it lies there once. */
  void post(Letter letter, Log.Logged event) {
    put(letter, "%d-%012d".formatted(event.at().toEpochMilli(), event.cursor()));
  }

  private void put(Letter letter, String number) {
    if (closed) {
      return;
    }
    try {
      if (letter.dispensable() && input.count(MOST_UNREAD) == MOST_UNREAD) {
        return;
      }
      input.write(number + "-" + letter.kind() + ".json", JsonText.write(letter.content()) + "\n");
    } catch (IOException e) {
      LOG.log(Level.WARNING, "{0} could not be told: {1}", group.name(), e.getMessage());
    }
  }

  @Override
  public void close() {
    closed = true;
    registrations.forEach(FolderWatch.Registration::close);
    reader.interrupt();
  }
}
