package dev.midcourse.core.chat.approval;

import dev.midcourse.core.chat.ChatId;
import dev.midcourse.core.chat.inbound.InboundMessage;
import dev.midcourse.core.chat.person.Identity;
import dev.midcourse.core.chat.person.PersonId;
import java.time.Instant;
import java.util.Optional;

/** A request that waits for a decision. */
public sealed interface PendingApproval {
  ApprovalId id();

  ChatId chat();

  /** The message that asked; it is replayed with its own time when the request is allowed. */
  InboundMessage original();

  /** The person to whom the card was sent; empty if nobody could be reached. */
  Optional<PersonId> approver();

  Instant createdAt();

  Instant expiresAt();

  /** An unknown sender in a wired chat. One is pending for a chat and sender. */
  record UnknownSender(
      ApprovalId id,
      ChatId chat,
      Identity sender,
      String senderName,
      InboundMessage original,
      Optional<PersonId> approver,
      Instant createdAt,
      Instant expiresAt)
      implements PendingApproval {}

  /** A chat without a wiring. One is pending for a chat; the newest message is the stored one. */
  record UnknownChat(
      ApprovalId id,
      ChatId chat,
      Optional<Identity> sender,
      String senderName,
      InboundMessage original,
      Optional<PersonId> approver,
      Instant createdAt,
      Instant expiresAt)
      implements PendingApproval {}
}
