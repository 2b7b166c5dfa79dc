package dev.midcourse.engine.conversation.tools;

import dev.midcourse.core.chat.outbound.OutboundId;

/**
 * A message that an agent has put into the outbox.
 *
 * @param messageId names the message in later calls
 * @param chat the name of the chat to which it goes
 */
public record QueuedMessage(OutboundId messageId, String chat) {}
