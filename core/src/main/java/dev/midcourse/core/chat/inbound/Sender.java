package dev.midcourse.core.chat.inbound;

import dev.midcourse.core.chat.person.Identity;
import java.util.Optional;

/**
 * The account that sent a message.
 *
 * @param identity empty if the platform hides it, as for an anonymous administrator, or does not
 *     say who deleted a message
 * @param name the name for display; it gives no right
 */
public record Sender(Optional<Identity> identity, String name, SenderKind kind) {}
