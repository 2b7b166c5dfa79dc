package dev.midcourse.core.chat.outbound;

import dev.midcourse.core.chat.ChannelName;
import java.util.Optional;

/**
 * Where a message goes.
 *
 * @param chat the id of the chat in its channel
 */
public record ChatAddress(ChannelName channel, String chat, Optional<String> thread) {}
