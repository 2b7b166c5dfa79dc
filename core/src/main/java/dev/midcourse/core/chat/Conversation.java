package dev.midcourse.core.chat;

import dev.midcourse.core.id.RunId;
import java.time.Instant;
import java.util.Optional;

/**
 * The talk of a worker with a chat or thread: a chain of runs that continue one agent session.
 *
 * @param newestRun the newest run of the chain
 * @param sticky a permitted person has mentioned the bot in this thread, and nobody has muted it
 */
public record Conversation(
    ConversationId id,
    ConversationKey key,
    Optional<RunId> newestRun,
    boolean sticky,
    Instant createdAt) {}
