package dev.midcourse.channels.telegram.receive;

import dev.midcourse.channels.ChannelListener;
import dev.midcourse.core.chat.ChannelName;
import dev.midcourse.core.chat.inbound.ChannelNotice;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/** Says what Telegram has thrown away while nobody received: it has no history to ask. */
public final class TelegramGap {
  /** So long Telegram keeps a click; messages it keeps for a day. */
  static final Duration CLICKS_KEPT = Duration.ofSeconds(150);

  static final Duration MESSAGES_KEPT = Duration.ofHours(24);

  private final ChannelName channel;
  private final TelegramPosition position;
  private final ChannelListener listener;
  private final InstantSource clock;

  public TelegramGap(
      ChannelName channel,
      TelegramPosition position,
      ChannelListener listener,
      InstantSource clock) {
    this.channel = channel;
    this.position = position;
    this.listener = listener;
    this.clock = clock;
  }

  TelegramPosition position() {
    return position;
  }

  /** Tells the listener of a gap between the last time that the channel received and now. */
  void report() {
    Instant now = clock.instant();
    Optional<Instant> from = position.completeUntil();
    Duration down = from.map(since -> Duration.between(since, now)).orElse(Duration.ZERO);
    if (down.compareTo(CLICKS_KEPT) > 0) {
      boolean messages = down.compareTo(MESSAGES_KEPT) > 0;
      listener.notice(
          channel,
          new ChannelNotice.Gap(
              Optional.empty(),
              from.orElseThrow(),
              now.minus(CLICKS_KEPT),
              messages ? "messages and clicks on buttons" : "clicks on buttons"));
    }
  }
}
