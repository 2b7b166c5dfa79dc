package dev.midcourse.hub.mailbox;

import dev.midcourse.core.RefusedException;
import dev.midcourse.core.contract.Value;
import dev.midcourse.core.id.GroupName;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.steer.Receipt;
import dev.midcourse.core.steer.Steer;
import dev.midcourse.engine.Engine;
import dev.midcourse.engine.LogFollower;
import dev.midcourse.ledger.Ledger;
import dev.midcourse.ledger.Log;
import dev.midcourse.ledger.json.JsonText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Brings a group the receipt of its steer again whenever it has changed, also when that was while
 * no hub was up. What is brought once more after a crash takes the place of its first copy.
 */
final class ReceiptPost implements AutoCloseable {
  /** Often, since a letter that comes again is read again; not always, since it takes the disk. */
  private static final Duration KEPT_EVERY = Duration.ofMillis(500);

  private static final int MOST_REMEMBERED = 1_000;
  private static final Log.Filter NEWS =
      new Log.Filter(
          Optional.empty(),
          Set.of(
              "steer_raised",
              "steer_ended",
              "steer_carried",
              "steer_returned",
              "steer_edited",
              "steer_promoted"));

  private final Ledger ledger;
  private final Function<GroupName, Optional<Mailbox>> boxes;
  private final LogFollower follower;

  /** The last receipts that were brought: one may be read before all of its events are. */
  private final Map<SteerId, Receipt> told =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<SteerId, Receipt> eldest) {
          return size() > MOST_REMEMBERED;
        }
      };

  ReceiptPost(Engine engine, Function<GroupName, Optional<Mailbox>> boxes) {
    this.ledger = engine.ledger();
    this.boxes = boxes;
    this.follower =
        new LogFollower(
            "receipts." + engine.settings().host(), ledger, NEWS, KEPT_EVERY, this::bring);
  }

  void start() {
    follower.start();
  }

  /** Of a steer that changed more than once, the receipt as it is now, once. */
  private void bring(List<Log.Logged> news) {
    Map<SteerId, Log.Logged> changed = new LinkedHashMap<>();
    news.forEach(entry -> steer(entry).ifPresent(id -> changed.put(id, entry)));
    List<SteerId> ids = new ArrayList<>(changed.keySet());
    List<Steer> steers =
        ids.isEmpty()
            ? List.of()
            : ledger.read(r -> ids.stream().flatMap(id -> r.steer(id).stream()).toList());
    for (Steer steer : steers) {
      Optional<Mailbox> box = boxOf(steer);
      Optional<Log.Logged> event = Optional.ofNullable(changed.get(steer.id()));
      Receipt receipt = Receipt.of(steer);
      if (box.isPresent() && event.isPresent() && isNew(receipt)) {
        boolean _ = box.get().post(Letters.receipt(receipt), event.get());
      }
    }
  }

  private boolean isNew(Receipt receipt) {
    return !receipt.equals(told.put(receipt.steerId(), receipt));
  }

  private Optional<Mailbox> boxOf(Steer steer) {
    return steer.author().origin().equals(Tasks.DOOR)
        ? boxes.apply(steer.author().group())
        : Optional.empty();
  }

  private static Optional<SteerId> steer(Log.Logged entry) {
    try {
      return JsonText.parse(entry.json())
          .filter(Value.Fields.class::isInstance)
          .map(Value.Fields.class::cast)
          .flatMap(fields -> fields.text("steer_id"))
          .map(SteerId::of);
    } catch (RefusedException notAnId) {
      return Optional.empty();
    }
  }

  /** Lets the letters that are being written be written; none is written afterwards. */
  @Override
  public void close() {
    follower.close();
  }
}
