package dev.midcourse.proof.crash.chat;

import java.util.Locale;

/** Points in the way of a message and of its answer at which a hub of a drill can end. */
public enum ChatFaultPoint {
  /** The channel has received a message and the hub has not read the ledger. */
  BEFORE_MESSAGE_IS_DECIDED,
  /** In the transaction, before the decision. */
  WHILE_MESSAGE_IS_DECIDED,
  /** In the transaction, after the message with its decision. */
  WHILE_MESSAGE_IS_STORED,
  /** In the transaction, before the run that the message opens. */
  WHILE_RUN_IS_SUBMITTED,
  /** In the transaction, before the message is connected with its steer. */
  WHILE_STEER_IS_SUBMITTED,
  /** In the transaction, before the acknowledgement for the sender. */
  WHILE_ACK_IS_STORED,
  /** The message is durable; no supervisor and no sender of the outbox knows it. */
  AFTER_MESSAGE_IS_STORED,
  /** The platform has no answer to its request. */
  BEFORE_MESSAGE_IS_ACKNOWLEDGED,
  /** The platform has its answer and does not deliver the message again. */
  AFTER_MESSAGE_IS_ACKNOWLEDGED,
  /** A message waits for further ones, and the timer is set. */
  DURING_DEBOUNCE,
  /** In the transaction that opens a run with messages that waited. */
  WHILE_DEBOUNCE_ENDS,
  /** The run with the messages that waited is durable; nobody has started it. */
  AFTER_DEBOUNCE_ENDS,
  /** In the transaction that asks an owner to let a sender in. */
  WHILE_APPROVAL_IS_REQUESTED,
  /** The channel has received a click. */
  BEFORE_CLICK_IS_DECIDED,
  /** In the transaction of the decision, before it is stored. */
  WHILE_APPROVAL_IS_DECIDED,
  /** In the transaction of the decision, between the decision and the replay of the message. */
  WHILE_MESSAGE_IS_REPLAYED,
  /** The decision and the replay are durable; nobody was woken. */
  AFTER_APPROVAL_IS_DECIDED,
  /** The platform has no answer to its click. */
  BEFORE_CLICK_IS_ACKNOWLEDGED,
  /** In the transaction that puts an answer of an agent into the outbox. */
  WHILE_ANSWER_IS_STORED,
  /** The answer is in the outbox; its channel was not woken. */
  AFTER_ANSWER_IS_STORED,
  /** In the transaction that marks a message as being sent. */
  WHILE_SENDING_IS_STORED,
  /** The message is marked as being sent; the platform does not have it. */
  BEFORE_MESSAGE_IS_SENT,
  /** The platform has the message; that is not stored. */
  AFTER_MESSAGE_IS_SENT,
  /** In the transaction that stores that the platform has the message. */
  WHILE_SENT_IS_STORED,
  /** It is stored that the platform has the message. */
  AFTER_SENT_IS_STORED;

  /** Returns whether the point is in the ledger. These points differ between stores. */
  boolean isInLedger() {
    return name().startsWith("WHILE") || name().startsWith("AFTER");
  }

  /**
   * Returns the maximum count at which a hub may end at this point, because hubs reach some points
   * rarely.
   */
  int maxTimes() {
    boolean often =
        name().contains("MESSAGE_IS_S") || name().contains("SENDING") || name().contains("SENT");
    return often ? 4 : 1;
  }

  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  static ChatFaultPoint of(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT));
  }
}
