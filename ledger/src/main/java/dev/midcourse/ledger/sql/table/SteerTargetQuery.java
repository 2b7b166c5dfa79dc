package dev.midcourse.ledger.sql.table;

import dev.midcourse.core.id.GroupName;
import dev.midcourse.core.id.IdempotencyKey;
import dev.midcourse.core.id.RunId;
import dev.midcourse.ledger.Transaction.Addressed;
import dev.midcourse.ledger.sql.jdbc.Row;
import dev.midcourse.ledger.sql.jdbc.SqlSession;
import java.sql.SQLException;
import java.util.Optional;

/** The one question that every steer asks before it is stored. */
public final class SteerTargetQuery {
  private static final String RUN_AND_STEER =
      """
      SELECT %s, s.steer_id IS NOT NULL, %s
      %s
      LEFT JOIN steers s ON s.author_group = ? AND s.key = ?
      WHERE r.run_id = ?
      """
          .formatted(RunTable.COLUMNS, SteerTable.COLUMNS, RunTable.FROM);

  private SteerTargetQuery() {}

  public static Optional<Addressed> of(
      SqlSession on, RunId run, GroupName group, Optional<IdempotencyKey> key) {
    return on.first(RUN_AND_STEER, SteerTargetQuery::addressed, group, key, run);
  }

  private static Addressed addressed(Row row) throws SQLException {
    return new Addressed(
        RunTable.run(row), row.flag() ? Optional.of(SteerTable.steer(row)) : Optional.empty());
  }
}
