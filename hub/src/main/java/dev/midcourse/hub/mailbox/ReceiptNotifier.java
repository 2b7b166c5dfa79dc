package dev.midcourse.hub.mailbox;

import dev.midcourse.core.event.RunEvent;
import dev.midcourse.core.id.GroupName;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.steer.Receipt;
import dev.midcourse.core.steer.Steer;
import dev.midcourse.engine.Engine;
import dev.midcourse.engine.follow.LogFollower;
import dev.midcourse.ledger.Ledger;
import dev.midcourse.ledger.Log;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/**
 * Writes the receipt of a steer to the inbox of its group whenever it has changed, also if it
 * changed while no hub was running. A receipt that is written again after a crash replaces its
 * first copy. The answer to the task that made the steer is written first. A receipt that cannot be
 * written, or would be added to a very full inbox, is written later with its state of then.
 */
final class ReceiptNotifier implements AutoCloseable {
  /**
   * The interval between stores of the cursor. A crash repeats the receipts since the last store;
   * each store costs a sync.
   */
  private static final Duration CURSOR_STORE_INTERVAL = Duration.ofMillis(500);

  /**
   * Changes of a steer within this time become one receipt, because the rungs follow each other
   * quickly.
   */
  private static final Duration BATCH_DELAY = Duration.ofMillis(20);

  private static final Duration RETRY_DELAY = Duration.ofSeconds(1);
  private static final int MAX_REMEMBERED = 10_000;
  private static final Log.Filter NEWS =
      Log.Filter.of(
          RunEvent.SteerRaised.class,
          RunEvent.SteerEnded.class,
          RunEvent.SteerCarried.class,
          RunEvent.SteerReturned.class,
          RunEvent.SteerEdited.class,
          RunEvent.SteerPromoted.class);

  private final Ledger ledger;
  private final Function<GroupName, Optional<Mailbox>> boxes;
  private final LogFollower follower;

  /** The last written receipts. A receipt may already contain changes whose events follow. */
  private final Map<SteerId, Receipt> written = new Remembered<>();

  /** The last event of each steer whose receipt could not be written. */
  private final Map<SteerId, Log.LogEntry> unbrought = new Remembered<>();

  /** The steers whose receipts wait for answers to tasks. */
  private final Map<SteerId, Steer> lettingPass = new Remembered<>();

  /** A map of limited size that drops its oldest entry. */
  private static final class Remembered<T> extends LinkedHashMap<SteerId, T> {
    private static final long serialVersionUID = 1;

    @Override
    protected boolean removeEldestEntry(Map.Entry<SteerId, T> eldest) {
      return size() > MAX_REMEMBERED;
    }
  }

  ReceiptNotifier(Engine engine, Function<GroupName, Optional<Mailbox>> boxes) {
    this.ledger = engine.ledger();
    this.boxes = boxes;
    this.follower =
        new LogFollower(
            "receipts." + engine.settings().host(),
            ledger,
            NEWS,
            CURSOR_STORE_INTERVAL,
            new ReceiptReader());
  }

  void start() {
    follower.start();
  }

  /** Writes the receipts of new events, and retries those that could not be written. */
  private final class ReceiptReader implements LogFollower.Reader {
    @Override
    public void read(List<Log.LogEntry> news) {
      bring(news);
    }

    /**
     * Drops the receipts that wait for answers. The next hub writes the answers first, then new
     * receipts.
     */
    @Override
    public void leave() {
      bring(List.of());
    }

    @Override
    public Duration rest() {
      return BATCH_DELAY;
    }

    @Override
    public Optional<Duration> maxWait() {
      return unbrought.isEmpty()
          ? Optional.empty()
          : Optional.of(lettingPass.isEmpty() ? RETRY_DELAY : BATCH_DELAY);
    }
  }

  /** Writes one receipt for each changed steer, with its present state. */
  private void bring(List<Log.LogEntry> news) {
    news.forEach(entry -> steer(entry).ifPresent(id -> unbrought.put(id, entry)));
    lettingPass.values().removeIf(steer -> !boxOf(steer).orElseThrow().answersFirst(steer));
    Map<SteerId, Log.LogEntry> changed = new LinkedHashMap<>(unbrought);
    changed.keySet().removeAll(lettingPass.keySet());
    unbrought.keySet().removeAll(changed.keySet());
    List<SteerId> ids = List.copyOf(changed.keySet());
    List<Steer> steers =
        ids.isEmpty()
            ? List.of()
            : ledger.read(r -> ids.stream().flatMap(id -> r.steer(id).stream()).toList());
    Map<Mailbox, List<Steer>> byBox = new LinkedHashMap<>();
    for (Steer steer : steers) {
      Optional<Mailbox> box = boxOf(steer);
      if (box.isEmpty() || Receipt.of(steer).equals(written.get(steer.id()))) {
        continue;
      }
      if (box.get().answersFirst(steer)) {
        lettingPass.put(steer.id(), steer);
        unbrought.put(steer.id(), Objects.requireNonNull(changed.get(steer.id())));
      } else {
        byBox.computeIfAbsent(box.get(), _ -> new ArrayList<>()).add(steer);
      }
    }
    byBox.forEach((box, its) -> bring(box, its, changed));
  }

  private void bring(Mailbox box, List<Steer> steers, Map<SteerId, Log.LogEntry> events) {
    List<GroupInbox.NumberedFile> messages = new ArrayList<>();
    for (Steer steer : steers) {
      Log.LogEntry event = Objects.requireNonNull(events.get(steer.id()));
      messages.add(GroupInbox.numbered(InboxMessages.receipt(Receipt.of(steer)), event));
    }
    int brought = box.full() ? 0 : box.postAll(messages);
    for (Steer steer : steers.subList(0, brought)) {
      written.put(steer.id(), Receipt.of(steer));
    }
    for (Steer steer : steers.subList(brought, steers.size())) {
      unbrought.put(steer.id(), Objects.requireNonNull(events.get(steer.id())));
    }
  }

  private Optional<Mailbox> boxOf(Steer steer) {
    return steer.author().origin().equals(TaskHandler.ORIGIN)
        ? boxes.apply(steer.author().group())
        : Optional.empty();
  }

  private static Optional<SteerId> steer(Log.LogEntry entry) {
    return entry.event() instanceof RunEvent.SteerEvent about
        ? Optional.of(about.steer())
        : Optional.empty();
  }

  /** Waits for the receipts that are being written. None is written afterwards. */
  @Override
  public void close() {
    follower.close();
  }
}
