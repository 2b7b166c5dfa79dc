package dev.midcourse.core.chat.outbound;

import dev.midcourse.core.id.RunId;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A message in the outbox. Messages of one chat are sent in the order of their numbers, except that
 * a lower {@code rank} goes first.
 *
 * @param rank 0 for answers, cards and acknowledgements; 1 for progress, which never delays them;
 *     one less than the rank of a long message for its further parts, which follow it at once
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
    Optional<Instant> sentAt) {

  public static final int RANK_ANSWER = 0;
  public static final int RANK_PROGRESS = 1;

  /** A message that waits and was never tried. */
  public static OutboundMessage queued(
      OutboundId id,
      long number,
      ChatAddress to,
      OutboundContent content,
      int rank,
      Optional<String> slot,
      Optional<RunId> run,
      Instant now) {
    return new OutboundMessage(
        id,
        number,
        to,
        content,
        rank,
        slot,
        OutboundState.QUEUED,
        0,
        Optional.empty(),
        Optional.empty(),
        run,
        Optional.empty(),
        now,
        Optional.empty());
  }

  /** The same message with another content. */
  public OutboundMessage with(OutboundContent other) {
    return new OutboundMessage(
        id,
        number,
        to,
        other,
        rank,
        slot,
        state,
        tries,
        notBefore,
        platformId,
        run,
        problem,
        createdAt,
        sentAt);
  }

  /** The message while the platform is called. */
  public OutboundMessage sending() {
    return at(OutboundState.SENDING, tries + 1, Optional.empty(), problem);
  }

  /** The message that the platform has confirmed. */
  public OutboundMessage sent(String platform, Instant now) {
    return new OutboundMessage(
        id,
        number,
        to,
        content,
        rank,
        slot,
        OutboundState.SENT,
        tries,
        Optional.empty(),
        Optional.of(platform),
        run,
        Optional.empty(),
        createdAt,
        Optional.of(now));
  }

  /** The message that waits again, because the platform has not taken it. */
  public OutboundMessage waiting(Instant until, String reason) {
    return at(OutboundState.QUEUED, tries, Optional.of(until), Optional.of(reason));
  }

  /**
   * The message that waits again as if it had not been tried, because it certainly was not sent.
   */
  public OutboundMessage requeued() {
    return at(OutboundState.QUEUED, tries, Optional.empty(), problem);
  }

  /** The message that has come to an end without a confirmation of the platform. */
  public OutboundMessage ended(OutboundState end, String reason) {
    return at(end, tries, Optional.empty(), Optional.of(reason));
  }

  /** The message that the platform took, and of which it reports later that it did not arrive. */
  public OutboundMessage undelivered(String reason) {
    return ended(OutboundState.FAILED, "not delivered: " + reason);
  }

  /** Whether the platform took the message and did not deliver it. */
  public boolean isUndelivered() {
    return state == OutboundState.FAILED && sentAt.isPresent();
  }

  /** The message in whose place a newer one is sent. */
  public OutboundMessage superseded() {
    return at(OutboundState.SUPERSEDED, tries, Optional.empty(), problem);
  }

  /** How long the message has existed. */
  public Duration age(Instant now) {
    return Duration.between(createdAt, now);
  }

  private OutboundMessage at(
      OutboundState next, int tried, Optional<Instant> until, Optional<String> reason) {
    return new OutboundMessage(
        id,
        number,
        to,
        content,
        rank,
        slot,
        next,
        tried,
        until,
        platformId,
        run,
        reason,
        createdAt,
        sentAt);
  }
}
