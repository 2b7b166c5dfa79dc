package dev.midcourse.core.chat.route;

import dev.midcourse.core.chat.Chat;
import dev.midcourse.core.id.WorkerName;
import java.util.List;
import java.util.Optional;

/**
 * Everything that the decision about a message depends on, as one transaction sees it.
 *
 * @param seen the channel has delivered this update before
 * @param chat the chat, if it is known
 * @param wirings the wirings of the chat: highest priority first, then oldest first
 * @param workers the workers to which the chat can be wired, if it has no wiring
 * @param sender the person for whom the message counts (see {@link OriginalMessage#changer})
 * @param senderPending a request for this sender in this chat waits for a decision
 * @param chatPending a request for this chat waits for a decision
 * @param choice the button that the message names by the number of its answer
 * @param pace whether the sender writes like a program
 * @param original the message that an edit or a deletion changes
 */
public record RoutingContext(
    boolean seen,
    Optional<Chat> chat,
    List<WiringContext> wirings,
    SenderContext sender,
    List<WorkerName> workers,
    boolean senderPending,
    boolean chatPending,
    ReplyTarget replyTarget,
    Optional<OriginalMessage> original,
    StopWords stopWords,
    SenderPace pace,
    Optional<String> choice) {
  public RoutingContext {
    wirings = List.copyOf(wirings);
    workers = List.copyOf(workers);
  }
}
