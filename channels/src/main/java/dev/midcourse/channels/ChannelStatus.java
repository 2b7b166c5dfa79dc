package dev.midcourse.channels;

import java.time.Instant;

/** The state of the connection of a channel. */
public sealed interface ChannelStatus {

  /** The channel has not been started, or is connecting for the first time. */
  record Starting() implements ChannelStatus {}

  /** The channel receives. */
  record Connected(Instant since) implements ChannelStatus {}

  /** The connection was lost; the channel tries again by itself. */
  record Retrying(Instant since, String reason) implements ChannelStatus {}

  /** Another process receives with the same token; this one takes over when that one ends. */
  record Standby(String reason) implements ChannelStatus {}

  /** The channel does not try again by itself. */
  record Stopped(String reason, String remedy) implements ChannelStatus {}
}
