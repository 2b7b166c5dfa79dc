package dev.midcourse.ledger.sql.chat;

import dev.midcourse.core.chat.ChatId;
import dev.midcourse.core.chat.approval.ApprovalId;
import dev.midcourse.core.chat.approval.PendingApproval;
import dev.midcourse.core.chat.inbound.InboundMessage;
import dev.midcourse.core.chat.person.Identity;
import dev.midcourse.core.chat.person.PersonId;
import dev.midcourse.ledger.json.InboundCodec;
import dev.midcourse.ledger.sql.jdbc.Row;
import dev.midcourse.ledger.sql.jdbc.SqlSession;
import dev.midcourse.ledger.sql.table.ChangeRecorder;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/**
 * The table pending_approvals. A row whose message this version cannot read is left out: it cannot
 * be replayed.
 */
final class ApprovalTable {
  private static final String UNKNOWN_SENDER = "unknown_sender";
  private static final String UNKNOWN_CHAT = "unknown_chat";

  private static final String COLUMNS =
      """
      approval_id, kind, chat_id, sender, sender_name, original, approver, created_at, expires_at\
      """;

  private static final String BY_ID =
      "SELECT %s FROM pending_approvals WHERE approval_id = ?".formatted(COLUMNS);

  private static final String OF_SENDER =
      """
      SELECT %s
      FROM pending_approvals
      WHERE kind = 'unknown_sender' AND chat_id = ? AND sender = ?
      """
          .formatted(COLUMNS);

  private static final String OF_CHAT =
      "SELECT %s FROM pending_approvals WHERE kind = 'unknown_chat' AND chat_id = ?"
          .formatted(COLUMNS);

  private static final String ALL =
      "SELECT %s FROM pending_approvals ORDER BY created_at, approval_id".formatted(COLUMNS);

  private static final String PUT =
      """
      INSERT INTO pending_approvals (
        approval_id, kind, chat_id, sender, sender_name, original, approver, created_at, expires_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (approval_id) DO UPDATE SET
        kind = excluded.kind, chat_id = excluded.chat_id, sender = excluded.sender,
        sender_name = excluded.sender_name, original = excluded.original,
        approver = excluded.approver, created_at = excluded.created_at,
        expires_at = excluded.expires_at
      """;

  private static final String DELETE = "DELETE FROM pending_approvals WHERE approval_id = ?";

  private ApprovalTable() {}

  static Optional<PendingApproval> byId(SqlSession on, ApprovalId id) {
    return on.first(BY_ID, ApprovalTable::approval, id).flatMap(found -> found);
  }

  static Optional<PendingApproval.UnknownSender> ofSender(
      SqlSession on, ChatId chat, Identity sender) {
    return on.first(OF_SENDER, ApprovalTable::approval, chat, sender)
        .flatMap(found -> found)
        .map(PendingApproval.UnknownSender.class::cast);
  }

  static Optional<PendingApproval.UnknownChat> ofChat(SqlSession on, ChatId chat) {
    return on.first(OF_CHAT, ApprovalTable::approval, chat)
        .flatMap(found -> found)
        .map(PendingApproval.UnknownChat.class::cast);
  }

  static List<PendingApproval> all(SqlSession on) {
    return on.all(ALL, ApprovalTable::approval).stream().flatMap(Optional::stream).toList();
  }

  static void put(ChangeRecorder changes, PendingApproval approval) {
    switch (approval) {
      case PendingApproval.UnknownSender asked ->
          put(changes, asked, UNKNOWN_SENDER, Optional.of(asked.sender()), asked.senderName());
      case PendingApproval.UnknownChat asked ->
          put(changes, asked, UNKNOWN_CHAT, asked.sender(), asked.senderName());
    }
  }

  private static void put(
      ChangeRecorder changes,
      PendingApproval approval,
      String kind,
      Optional<Identity> sender,
      String senderName) {
    changes.add(
        PUT,
        approval.id(),
        kind,
        approval.chat(),
        sender,
        senderName,
        InboundCodec.encode(approval.original()),
        approval.approver(),
        approval.createdAt(),
        approval.expiresAt());
  }

  static void delete(ChangeRecorder changes, ApprovalId approval) {
    changes.add(DELETE, approval);
  }

  private static Optional<PendingApproval> approval(Row row) throws SQLException {
    Optional<InboundMessage> original = row.parsed("original", InboundCodec::decode);
    return original.isEmpty() ? Optional.empty() : Optional.of(approval(row, original.get()));
  }

  private static PendingApproval approval(Row row, InboundMessage original) throws SQLException {
    return row.text("kind").equals(UNKNOWN_SENDER)
        ? new PendingApproval.UnknownSender(
            row.parsed("approval_id", ApprovalId::of),
            row.parsed("chat_id", ChatId::of),
            row.parsed("sender", Identity::of),
            row.text("sender_name"),
            original,
            row.optionalParsed("approver", PersonId::of),
            row.instant("created_at"),
            row.instant("expires_at"))
        : new PendingApproval.UnknownChat(
            row.parsed("approval_id", ApprovalId::of),
            row.parsed("chat_id", ChatId::of),
            row.optionalParsed("sender", Identity::of),
            row.text("sender_name"),
            original,
            row.optionalParsed("approver", PersonId::of),
            row.instant("created_at"),
            row.instant("expires_at"));
  }
}
