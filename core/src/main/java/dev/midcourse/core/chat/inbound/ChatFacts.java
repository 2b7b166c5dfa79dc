package dev.midcourse.core.chat.inbound;

import dev.midcourse.core.chat.ChatKind;
import java.util.Optional;

/** What the platform tells about the chat of a message. */
public record ChatFacts(ChatKind kind, boolean threads, Optional<String> name) {}
