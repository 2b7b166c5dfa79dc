package dev.midcourse.proof.crash.chat;

import dev.midcourse.core.chat.outbound.OutboundState;
import java.util.List;
import java.util.Map;

/**
 * The result of the checker.
 *
 * @param outbox how many messages of the outbox ended how
 * @param troubles what was lost, doubled, out of order or falsely claimed; empty if nothing was
 */
record ChatCheckResult(
    int runs, int steers, Map<OutboundState, Long> outbox, List<String> troubles) {}
