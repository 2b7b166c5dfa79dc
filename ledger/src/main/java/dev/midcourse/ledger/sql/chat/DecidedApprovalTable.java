package dev.midcourse.ledger.sql.chat;

import dev.midcourse.core.chat.approval.ApprovalId;
import dev.midcourse.core.chat.approval.DecidedApproval;
import dev.midcourse.ledger.sql.jdbc.SqlSession;
import dev.midcourse.ledger.sql.table.ChangeRecorder;
import java.time.Instant;
import java.util.Optional;

/** The table decided_approvals. */
final class DecidedApprovalTable {
  private static final String BY_ID =
      """
      SELECT approval_id, result, decided_by, decided_at FROM decided_approvals
      WHERE approval_id = ?
      """;

  private static final String PUT =
      """
      INSERT INTO decided_approvals (approval_id, result, decided_by, decided_at)
      VALUES (?, ?, ?, ?)
      ON CONFLICT (approval_id) DO NOTHING
      """;

  private static final String PRUNE = "DELETE FROM decided_approvals WHERE decided_at < ?";

  private DecidedApprovalTable() {}

  static Optional<DecidedApproval> byId(SqlSession on, ApprovalId id) {
    return on.first(
        BY_ID,
        row ->
            new DecidedApproval(
                row.parsed("approval_id", ApprovalId::of),
                row.text("result"),
                row.text("decided_by"),
                row.instant("decided_at")),
        id);
  }

  static void put(ChangeRecorder changes, DecidedApproval decided) {
    changes.add(PUT, decided.id(), decided.result(), decided.by(), decided.at());
  }

  static void prune(SqlSession on, Instant before) {
    on.update(PRUNE, before);
  }
}
