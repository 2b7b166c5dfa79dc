package dev.midcourse.core.chat.outbound;

import dev.midcourse.core.id.RunId;
import java.time.Instant;
import java.util.Optional;

/**
 * A message in the outbox. Messages of one chat are sent in the order of their numbers, except that
 * a lower {@code rank} goes first.
 *
 * @param rank 0 for answers, cards and acknowledgements; 1 for progress, which never delays them
 * @param slot messages of one chat with the same slot replace each other while they wait: the
 *     reaction on one message, the progress of one run
 * @param platformId the id that the platform gave, once it is sent
 * @param run the run that it belongs to
 * @param problem why it was not sent, or why that is not known
 */
public record OutboundMessage(
    OutboundId id,
    long number,
    ChatAddress to,
    OutboundContent content,
    int rank,
    Optional<String> slot,
    OutboundState state,
    int tries,
    Optional<Instant> notBefore,
    Optional<String> platformId,
    Optional<RunId> run,
    Optional<String> problem,
    Instant createdAt,
    Optional<Instant> sentAt) {}
