package dev.midcourse.core.chat.inbound;

import java.util.Optional;

/** The message to which another one replies. */
public record QuotedMessage(String message, Optional<String> sender, Optional<String> text) {}
