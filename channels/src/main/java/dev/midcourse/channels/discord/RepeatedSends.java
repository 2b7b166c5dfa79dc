package dev.midcourse.channels.discord;

import dev.midcourse.core.chat.outbound.OutboundId;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Tells when a message may be at Discord already although Discord no longer knows its nonce, which
 * it keeps for some minutes. Then the history is searched before the message is sent.
 */
final class RepeatedSends {
  static final Duration NONCE_KEPT = Duration.ofMinutes(2);
  private static final Duration MARGIN = Duration.ofMinutes(2);
  private static final int MAX_ENTRIES = 10_000;
  private static final int FIRST_OF_CHAT = 3;

  private final InstantSource clock;

  /** All fields below are guarded by this object. */
  private final Map<OutboundId, Instant> firstTries =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<OutboundId, Instant> eldest) {
          return size() > MAX_ENTRIES;
        }
      };

  private final Map<String, Integer> firstOfChat = new HashMap<>();
  private Optional<Instant> lastProcess = Optional.empty();

  RepeatedSends(InstantSource clock) {
    this.clock = clock;
  }

  /**
   * An earlier process was last connected at this time; it may have ended while it sent a message
   * to each chat.
   */
  synchronized void startedAfter(Instant alive) {
    if (Duration.between(alive, clock.instant()).compareTo(NONCE_KEPT) > 0) {
      lastProcess = Optional.of(alive);
    }
  }

  /** From when on the message may be in the history; empty if its nonce is enough. */
  synchronized Optional<Instant> mayBeSentSince(OutboundId id, String channel) {
    Instant first = firstTries.get(id);
    if (first != null) {
      return Duration.between(first, clock.instant()).compareTo(NONCE_KEPT) > 0
          ? Optional.of(first.minus(MARGIN))
          : Optional.empty();
    }
    if (lastProcess.isPresent() && firstOfChat.merge(channel, 1, Integer::sum) <= FIRST_OF_CHAT) {
      return lastProcess.map(alive -> alive.minus(MARGIN));
    }
    return Optional.empty();
  }

  /** It is not known whether Discord got the message. */
  synchronized void unknown(OutboundId id) {
    firstTries.putIfAbsent(id, clock.instant());
  }

  synchronized void known(OutboundId id) {
    firstTries.remove(id);
  }
}
