package dev.midcourse.core.chat.card;

import dev.midcourse.core.chat.outbound.OutboundId;
import java.time.Instant;

/**
 * A button that was sent to somebody.
 *
 * @param id random, so that nobody can guess it
 * @param card the message of the outbox that has the button
 */
public record CardButton(String id, OutboundId card, ButtonMeaning meaning, Instant createdAt) {}
