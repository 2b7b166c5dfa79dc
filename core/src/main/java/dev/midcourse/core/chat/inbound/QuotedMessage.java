package dev.midcourse.core.chat.inbound;

import java.util.Optional;

/**
 * The message to which another one replies.
 *
 * @param message its id in the same chat
 * @param ours whether our own account sent it, by the structure of the platform
 */
public record QuotedMessage(
    String message, boolean ours, Optional<String> sender, Optional<String> text) {}
