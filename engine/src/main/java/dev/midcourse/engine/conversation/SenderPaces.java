package dev.midcourse.engine.conversation;

import dev.midcourse.core.chat.inbound.InboundMessage;
import dev.midcourse.core.chat.outbound.OutboundContent;
import dev.midcourse.core.chat.outbound.OutboundMessage;
import dev.midcourse.core.chat.person.Identity;
import dev.midcourse.core.chat.route.SenderPace;
import dev.midcourse.core.chat.route.TalkPace;
import dev.midcourse.ledger.chat.ChatReader;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * How fast the senders of the last minutes write, in memory: a hub that starts anew begins to count
 * anew.
 */
final class SenderPaces {
  private static final int MAX_SENDERS = 10_000;
  private static final int NEWEST = 5;

  private final TalkPace.Limits limits;

  /** By chat and sender, the newest last; guarded by this object. */
  private final Map<Sender, TalkPace> paces =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Sender, TalkPace> eldest) {
          return size() > MAX_SENDERS;
        }
      };

  SenderPaces(TalkPace.Limits limits) {
    this.limits = limits;
  }

  private record Sender(String chat, Optional<Identity> identity) {}

  /** Counts the message. Reads our last answer only if the sender wrote within the last minutes. */
  synchronized SenderPace count(ChatReader chats, InboundMessage message, Instant now) {
    Sender sender =
        new Sender(
            message.ref().channel() + ":" + message.ref().chat(), message.sender().identity());
    TalkPace before = paces.getOrDefault(sender, TalkPace.first(now));
    boolean wroteLately =
        before.inMinute() > 0 && Duration.between(before.last(), now).compareTo(TalkPace.PAUSE) < 0;
    TalkPace next =
        before.next(now, wroteLately ? lastAnswer(chats, message) : Optional.empty(), limits);
    paces.put(sender, next);
    return next.pace();
  }

  private static Optional<Instant> lastAnswer(ChatReader chats, InboundMessage message) {
    return chats.outboxOf(message.ref().channel(), message.ref().chat(), NEWEST).stream()
        .filter(sent -> sent.content() instanceof OutboundContent.Text)
        .map(OutboundMessage::createdAt)
        .findFirst();
  }
}
