package dev.midcourse.channels.outbox;

import dev.midcourse.channels.Channel;
import dev.midcourse.channels.ChannelCapabilities;
import dev.midcourse.channels.ChannelFeature;
import dev.midcourse.channels.ChannelLimits;
import dev.midcourse.channels.ChannelListener;
import dev.midcourse.channels.ChannelRequest;
import dev.midcourse.channels.SendResult;
import dev.midcourse.core.chat.ChannelName;
import dev.midcourse.core.chat.outbound.OutboundId;
import dev.midcourse.core.chat.person.Identity;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;

/**
 * A channel that the outbox has messages for and the settings do not have. Its messages wait, say
 * why, and are given up when they are too old.
 */
final class UnconfiguredChannel implements Channel {
  private static final Duration RETRY_INTERVAL = Duration.ofHours(1);

  private final ChannelName name;

  UnconfiguredChannel(ChannelName name) {
    this.name = name;
  }

  @Override
  public ChannelName name() {
    return name;
  }

  @Override
  public Optional<Identity> identity() {
    return Optional.empty();
  }

  /** Everything, so that a message waits as it is. */
  @Override
  public ChannelCapabilities capabilities() {
    return new ChannelCapabilities(
        EnumSet.allOf(ChannelFeature.class),
        new ChannelLimits(
            Integer.MAX_VALUE, Integer.MAX_VALUE, Long.MAX_VALUE, Duration.ZERO, Duration.ZERO));
  }

  @Override
  public void start(ChannelListener listener) {}

  @Override
  public SendResult send(OutboundId id, ChannelRequest request) {
    return new SendResult.RetryAfter(
        RETRY_INTERVAL,
        "the channel " + name + " is not configured; add it with midcourse channel add");
  }

  @Override
  public void close() {}
}
