package dev.midcourse.channels.telegram;

import dev.midcourse.core.json.JsonValue.Obj;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The stream of updates of a fake Telegram, with its rules: an offset forgets everything before it,
 * clicks are kept for 150 seconds and the rest for a day, one poll at a time, the same offset again
 * within half a second gets one update.
 */
final class FakeUpdates {
  private static final Duration CLICKS_KEPT = Duration.ofSeconds(150);
  private static final Duration OTHERS_KEPT = Duration.ofHours(24);
  private static final long ONE_ONLY_NANOS = Duration.ofMillis(500).toNanos();
  private static final long FORCED_WAIT_NANOS = Duration.ofSeconds(3).toNanos();
  private static final int FORCED_WAIT_SECONDS = 3;
  private static final int MAX_WAIT_SECONDS = 50;
  private static final int MAX_LIMIT = 100;

  private record Kept(long id, Obj update, Instant at) {
    boolean isClick() {
      return update.get("callback_query").isPresent();
    }
  }

  private final InstantSource clock;
  private final List<Kept> kept = new ArrayList<>();
  private Set<String> allowed = Set.of();
  private long nextId;
  private long poll;
  private long lastOffset;
  private long lastPollAt;
  private boolean closed;

  FakeUpdates(InstantSource clock, long firstId) {
    this.clock = clock;
    this.nextId = firstId;
    this.lastPollAt = System.nanoTime() - FORCED_WAIT_NANOS;
  }

  /** Adds an update without its number; drops it if its kind is not asked for. */
  synchronized long push(Obj update) {
    long id = nextId++;
    String kind = update.fields().keySet().iterator().next();
    if (allowed.isEmpty() || allowed.contains(kind)) {
      kept.add(
          new Kept(
              id,
              Obj.EMPTY.with("update_id", id).with(kind, update.object(kind)),
              clock.instant()));
      notifyAll();
    }
    return id;
  }

  /** The next update gets this number, as after a week of silence. */
  synchronized void restartAt(long id) {
    nextId = id;
  }

  synchronized void allow(List<String> kinds) {
    if (!kinds.isEmpty()) {
      allowed = Set.copyOf(kinds);
    }
  }

  synchronized Set<String> allowed() {
    return allowed;
  }

  synchronized List<Obj> pending() {
    forgetOld();
    return kept.stream().map(Kept::update).toList();
  }

  synchronized void forget(long id) {
    kept.removeIf(update -> update.id() == id);
  }

  /** Ends a poll that waits, as when a webhook is set. */
  synchronized void close() {
    closed = true;
    notifyAll();
  }

  /** Empty if another poll has taken the place of this one. */
  synchronized Optional<List<Obj>> poll(long offset, int limit, int seconds)
      throws InterruptedException {
    long mine = ++poll;
    notifyAll();
    long now = System.nanoTime();
    boolean isSame = offset == lastOffset;
    int most = isSame && now - lastPollAt < ONE_ONLY_NANOS ? 1 : Math.clamp(limit, 1, MAX_LIMIT);
    int wait = Math.min(seconds, MAX_WAIT_SECONDS);
    if (isSame && now - lastPollAt < FORCED_WAIT_NANOS) {
      wait = Math.max(wait, FORCED_WAIT_SECONDS);
    }
    lastOffset = offset;
    lastPollAt = now;
    if (offset < 0) {
      int from = (int) Math.max(0, kept.size() + offset);
      kept.subList(0, from).clear();
    } else {
      kept.removeIf(update -> update.id() < offset);
    }
    long deadline = now + Duration.ofSeconds(wait).toNanos();
    while (mine == poll && !closed) {
      List<Obj> found = pending();
      long left = deadline - System.nanoTime();
      if (!found.isEmpty() || left <= 0) {
        return Optional.of(found.stream().limit(most).toList());
      }
      wait(Math.max(1, left / 1_000_000));
    }
    return Optional.empty();
  }

  private void forgetOld() {
    Instant now = clock.instant();
    kept.removeIf(
        update -> update.at().plus(update.isClick() ? CLICKS_KEPT : OTHERS_KEPT).isBefore(now));
  }
}
