package dev.midcourse.core.chat.outbound;

import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import java.util.Optional;

/** What a person decides about a message that was not sent, or of which that is not known. */
public final class UnsentMessages {
  private UnsentMessages() {}

  /** The person has read it and leaves it as it is. */
  public static OutboundMessage dismiss(OutboundMessage message) {
    requireUnsent(message);
    return copy(message, OutboundState.DISMISSED, message.tries(), message.problem());
  }

  /**
   * The message is sent again, with all its tries. If it is not known whether it was sent, the
   * person takes the risk that it arrives twice.
   */
  public static OutboundMessage retry(OutboundMessage message) {
    requireUnsent(message);
    return copy(message, OutboundState.QUEUED, 0, Optional.empty());
  }

  private static void requireUnsent(OutboundMessage message) {
    if (message.state() != OutboundState.FAILED && message.state() != OutboundState.UNKNOWN) {
      throw Problem.of(
              Code.TOO_LATE,
              "outbound_id",
              "a message that failed, or of which it is not known whether it was sent",
              "message " + message.id() + " is " + message.state().wire())
          .refused();
    }
  }

  private static OutboundMessage copy(
      OutboundMessage message, OutboundState state, int tries, Optional<String> problem) {
    return new OutboundMessage(
        message.id(),
        message.number(),
        message.to(),
        message.content(),
        message.rank(),
        message.slot(),
        state,
        tries,
        Optional.empty(),
        message.platformId(),
        message.run(),
        problem,
        message.createdAt(),
        message.sentAt());
  }
}
