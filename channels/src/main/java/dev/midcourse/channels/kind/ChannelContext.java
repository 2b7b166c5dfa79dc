package dev.midcourse.channels.kind;

import dev.midcourse.channels.connection.ChannelState;
import dev.midcourse.channels.connection.PollerLocks;
import java.nio.file.Path;
import java.time.InstantSource;

/**
 * What the hub gives to every channel.
 *
 * @param state what the channel has stored, such as its position in the stream of updates
 * @param locks make sure that one process at a time receives with a token
 * @param folder an own folder of the channel for its files; it may not exist yet
 */
public record ChannelContext(
    InstantSource clock, ChannelState state, PollerLocks locks, Path folder) {}
