package dev.midcourse.engine.conversation;

import dev.midcourse.core.chat.inbound.MessageRef;
import dev.midcourse.core.chat.outbound.ChatAddress;
import dev.midcourse.core.run.TurnRecord;
import dev.midcourse.ledger.chat.ChatReader;
import dev.midcourse.ledger.chat.ChatReader.RunAddress;
import java.util.Optional;

/**
 * Where the words of an agent go in one turn: to the chat and thread in which the turn was asked
 * for.
 *
 * @param replyTo the message of the platform that the turn answers
 */
public record AnswerAddress(ChatAddress to, Optional<String> replyTo) {

  /** The address in this turn; without a turn, that of the run. */
  public static AnswerAddress of(ChatReader chats, RunAddress run, Optional<TurnRecord> turn) {
    boolean first = turn.map(TurnRecord::number).orElse(1) == 1;
    return turn.flatMap(it -> openerOf(chats, it))
        .map(opener ->
            new AnswerAddress(
                chats
                    .message(opener)
                    .map(stored -> MessageActions.addressOf(stored.message()))
                    .orElse(run.to()),
                Optional.of(opener.message())))
        .orElseGet(() -> new AnswerAddress(run.to(), run.question().filter(_ -> first)));
  }

  /** The last message that opened the turn as a steer. */
  private static Optional<MessageRef> openerOf(ChatReader chats, TurnRecord turn) {
    return turn.steers().reversed().stream()
        .flatMap(steer -> chats.messagesOf(steer).reversed().stream())
        .findFirst();
  }
}
