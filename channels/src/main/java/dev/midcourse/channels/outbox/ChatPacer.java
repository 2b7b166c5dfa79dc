package dev.midcourse.channels.outbox;

import dev.midcourse.channels.ChannelLimits;
import dev.midcourse.core.chat.outbound.OutboundMessage;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Keeps the least time between two requests to one chat that the platform asks for. For one thread.
 */
final class ChatPacer {
  private final ChannelLimits limits;
  private final Map<String, Instant> lastRequest = new HashMap<>();
  private final Map<String, Instant> lastProgress = new HashMap<>();

  ChatPacer(ChannelLimits limits) {
    this.limits = limits;
  }

  /** When the message may be sent; empty if that is now. */
  Optional<Instant> waitsUntil(OutboundMessage message, Instant now) {
    String chat = message.to().chat();
    Instant requests = next(lastRequest, chat, limits.sendInterval());
    Instant progress =
        message.rank() >= OutboundMessage.RANK_PROGRESS
            ? next(lastProgress, chat, limits.editInterval())
            : Instant.MIN;
    Instant until = requests.isAfter(progress) ? requests : progress;
    return until.isAfter(now) ? Optional.of(until) : Optional.empty();
  }

  /** A request for the message begins. */
  void begin(OutboundMessage message, Instant now) {
    String chat = message.to().chat();
    lastRequest.put(chat, now);
    if (message.rank() >= OutboundMessage.RANK_PROGRESS) {
      lastProgress.put(chat, now);
    }
  }

  /** The number of chats that may have to wait. */
  int size() {
    return lastRequest.size() + lastProgress.size();
  }

  /** Forgets the chats that may be served at once. */
  void forget(Instant now) {
    lastRequest.values().removeIf(at -> !at.plus(limits.sendInterval()).isAfter(now));
    lastProgress.values().removeIf(at -> !at.plus(limits.editInterval()).isAfter(now));
  }

  private static Instant next(Map<String, Instant> last, String chat, Duration interval) {
    Instant at = last.get(chat);
    return at == null ? Instant.MIN : at.plus(interval);
  }
}
