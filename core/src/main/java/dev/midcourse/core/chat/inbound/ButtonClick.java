package dev.midcourse.core.chat.inbound;

import java.time.Instant;

/**
 * A click on a button of a card.
 *
 * @param card the message with the buttons
 * @param button the random id of the button; the meaning is stored here and not with the platform
 */
public record ButtonClick(
    MessageRef card, String updateKey, Sender sender, String button, Instant clickedAt) {}
