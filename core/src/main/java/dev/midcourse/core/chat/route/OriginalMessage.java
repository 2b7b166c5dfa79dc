package dev.midcourse.core.chat.route;

import dev.midcourse.core.chat.ConversationKey;
import dev.midcourse.core.chat.inbound.InboundKind;
import dev.midcourse.core.chat.inbound.InboundMessage;
import dev.midcourse.core.chat.person.Identity;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SteerId;
import java.util.List;
import java.util.Optional;

/**
 * The stored message that an edit or a deletion changes, and what became of it.
 *
 * @param author the identity that sent it
 * @param steers the steers that it has become
 * @param queuedRuns the runs that it opened and that have not started
 * @param waiting the conversations in which it waits as context or for the end of a debounce
 */
public record OriginalMessage(
    long number,
    Optional<Identity> author,
    List<BecameSteer> steers,
    List<QueuedRun> queuedRuns,
    List<ConversationKey> waiting) {
  public OriginalMessage {
    steers = List.copyOf(steers);
    queuedRuns = List.copyOf(queuedRuns);
    waiting = List.copyOf(waiting);
  }

  /**
   * The account for which the change counts: its sender. Some platforms, such as Discord, do not
   * say who deleted a message. Such a deletion counts for the author of the message, because there
   * only the author and moderators can delete it.
   *
   * @return empty if the platform hides the account
   */
  public static Optional<Identity> changer(InboundMessage change, Optional<Identity> author) {
    Optional<Identity> sender = change.sender().identity();
    return change.kind() == InboundKind.DELETION ? sender.or(() -> author) : sender;
  }

  /**
   * A steer that the message has become.
   *
   * @param changeable the steer is open and not in the conversation of the agent
   */
  public record BecameSteer(RunId run, SteerId steer, boolean changeable) {}

  /** A run that the message opened and that no agent has begun. */
  public record QueuedRun(ConversationKey conversation, RunId run) {}
}
