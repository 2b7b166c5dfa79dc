package dev.midcourse.core.chat.outbound;

import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;

/** What a person decides about a message that was not sent, or of which that is not known. */
public final class UnsentMessages {
  private UnsentMessages() {}

  /** The person has read it and leaves it as it is. */
  public static OutboundMessage dismiss(OutboundMessage message) {
    requireUnsent(message);
    return message.ended(OutboundState.DISMISSED, message.problem().orElse("no reason is known"));
  }

  /**
   * The message is sent again as if it never was, with all its tries. If it is not known whether it
   * was sent, the person takes the risk that it arrives twice.
   */
  public static OutboundMessage retry(OutboundMessage message) {
    requireUnsent(message);
    return OutboundMessage.queued(
        message.id(),
        message.number(),
        message.to(),
        message.content(),
        message.rank(),
        message.slot(),
        message.run(),
        message.createdAt());
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
}
