package dev.midcourse.core.chat.route;

import dev.midcourse.core.chat.inbound.InboundMessage;
import java.time.Instant;

/**
 * A stored message with the decision that was made about it.
 *
 * @param number the order in which messages were stored; also the short id for people
 */
public record RoutedMessage(
    long number, InboundMessage message, Instant receivedAt, RoutingDecision decision) {}
