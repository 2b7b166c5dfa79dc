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
  /** Often, since a letter that comes again is read again; not always, since it takes the disk. */
  private static final Duration KEPT_EVERY = Duration.ofMillis(500);

  /** A steer climbs fast: what happens to it within this is told once. */
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

  /** The last receipts that were brought: one may be read before all of its events are. */
  private final Map<SteerId, Receipt> told = new Remembered<>();

  /** Of each steer whose receipt could not be brought, the last event. */
  private final Map<SteerId, Log.LogEntry> unbrought = new Remembered<>();

  /** Those whose receipts let answers pass. */
  private final Map<SteerId, Steer> lettingPass = new Remembered<>();

  /** The newest so many. */
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
            "receipts." + engine.settings().host(), ledger, NEWS, KEPT_EVERY, new Postman());
  }

  void start() {
    follower.start();
  }

  /** Brings what is new, and after a while what could not be brought. */
  private final class Postman implements LogFollower.Reader {
    @Override
    public void read(List<Log.LogEntry> news) {
      bring(news);
    }

    /** What waits for an answer need not come: the next hub answers with the receipt of then. */
    @Override
    public void leave() {
      bring(List.of());
    }

    @Override
    public Duration rest() {
      return BATCH_DELAY;
    }

    @Override
    public Optional<Duration> patience() {
      return unbrought.isEmpty()
          ? Optional.empty()
          : Optional.of(lettingPass.isEmpty() ? RETRY_DELAY : BATCH_DELAY);
    }
  }

  /** Of a steer that changed more than once, the receipt as it is now, once. */
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
      if (box.isEmpty() || Receipt.of(steer).equals(told.get(steer.id()))) {
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
      told.put(steer.id(), Receipt.of(steer));
    }
    for (Steer steer : steers.subList(brought, steers.size())) {
      unbrought.put(steer.id(), Objects.requireNonNull(events.get(steer.id())));
    }
  }

  private Optional<Mailbox> boxOf(Steer steer) {
    return steer.author().origin().equals(TaskHandler.DOOR)
        ? boxes.apply(steer.author().group())
        : Optional.empty();
  }

  private static Optional<SteerId> steer(Log.LogEntry entry) {
    return entry.event() instanceof RunEvent.SteerEvent about
        ? Optional.of(about.steer())
        : Optional.empty();
  }

  /** Lets the letters that are being written be written; none is written afterwards. */
  @Override
  public void close() {
    follower.close();
  }
}
