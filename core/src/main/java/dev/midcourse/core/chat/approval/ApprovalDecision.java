package dev.midcourse.core.chat.approval;

import dev.midcourse.core.id.WorkerName;

/** The decision about a pending approval. */
public sealed interface ApprovalDecision {

  /** The sender becomes a member of the workers of the chat. */
  record AllowSender() implements ApprovalDecision {}

  /** The chat is wired to this worker, and the sender becomes its member. */
  record WireTo(WorkerName worker) implements ApprovalDecision {}

  /** A worker of this name is made from the template of the settings, and the chat wired to it. */
  record CreateWorker(WorkerName name) implements ApprovalDecision {}

  /** The request is closed. Nothing is remembered: the next message asks again. */
  record Deny() implements ApprovalDecision {}
}
