package dev.midcourse.channels.outbox;

import dev.midcourse.core.chat.outbound.OutboundMessage;
import dev.midcourse.ledger.Transaction;

/** Is told of each message that was not sent or not delivered, or of which this is not known. */
@FunctionalInterface
public interface UnsentHandler {
  UnsentHandler NONE = (tx, message) -> {};

  /**
   * Records what follows from it, in the transaction that stores the end of the message. The
   * message is failed or unknown.
   */
  void handle(Transaction tx, OutboundMessage message);
}
