package dev.midcourse.hub.mailbox;

import dev.midcourse.core.RefusedException;
import dev.midcourse.core.contract.Value;
import dev.midcourse.core.id.GroupName;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.steer.Receipt;
import dev.midcourse.core.steer.Steer;
import dev.midcourse.ledger.Ledger;
import dev.midcourse.ledger.Log;
import dev.midcourse.ledger.json.JsonText;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Brings a group the receipt of its steer again whenever it has changed. */
final class ReceiptPost implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(ReceiptPost.class.getName());
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(30);
  private static final Duration GOODBYE = Duration.ofSeconds(2);
  private static final int PAGE = 500;
  private static final Log.Filter NEWS =
      new Log.Filter(
          Optional.empty(),
          Set.of("steer_raised", "steer_ended", "steer_carried", "steer_returned"));

  private final Ledger ledger;
  private final Function<GroupName, Optional<Mailbox>> boxes;
  private final Thread thread;
  private long cursor;
  private volatile boolean closed;

  ReceiptPost(Ledger ledger, Function<GroupName, Optional<Mailbox>> boxes) {
    this.ledger = ledger;
    this.boxes = boxes;
    this.cursor = ledger.log().newest();
    this.thread = Thread.ofPlatform().name("midcourse-receipts").daemon().unstarted(this::bringOn);
  }

  void start() {
    thread.start();
  }

  private void bringOn() {
    try {
      while (true) {
        Log.Page page = ledger.log().after(cursor, NEWS, PAGE);
        Set<SteerId> changed = new LinkedHashSet<>();
        page.entries().forEach(entry -> steer(entry).ifPresent(changed::add));
        bring(changed);
        cursor = page.next();
        if (page.entries().isEmpty()) {
          ledger.log().awaitAfter(cursor, LONGEST_WAIT);
        }
      }
    } catch (InterruptedException end) {
      // Closed.
    } catch (RuntimeException e) {
      if (closed) {
        return;
      }
      LOG.log(Level.ERROR, "receipts are no longer brought", e);
    }
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

  private void bring(Set<SteerId> changed) {
    List<Steer> steers =
        ledger.read(reading -> changed.stream().flatMap(id -> reading.steer(id).stream()).toList());
    for (Steer steer : steers) {
      if (closed) {
        return;
      }
      if (steer.author().origin().equals(Tasks.DOOR)) {
        boxes
            .apply(steer.author().group())
            .ifPresent(box -> box.post(Letters.receipt(Receipt.of(steer))));
      }
    }
  }

  /** Lets the letter that is being written be written; none is written afterwards. */
  @Override
  public void close() {
    closed = true;
    thread.interrupt();
    try {
      boolean _ = thread.getState() == Thread.State.NEW || thread.join(GOODBYE);
    } catch (InterruptedException asked) {
      Thread.currentThread().interrupt();
    }
  }
}
