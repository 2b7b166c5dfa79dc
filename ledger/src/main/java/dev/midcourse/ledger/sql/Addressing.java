package dev.midcourse.ledger.sql;

import dev.midcourse.core.id.GroupName;
import dev.midcourse.core.id.Key;
import dev.midcourse.core.id.RunId;
import dev.midcourse.ledger.Tx.Addressed;
import java.sql.SQLException;
import java.util.Optional;

/** The one question that every steer asks before it is stored. */
final class Addressing {
  private static final String RUN_AND_STEER =
      """
      SELECT %s, s.steer_id IS NOT NULL, %s
      %s
      LEFT JOIN steers s ON s.author_group = ? AND s.key = ?
      WHERE r.run_id = ?
      """
          .formatted(RunTable.COLUMNS, SteerTable.COLUMNS, RunTable.FROM);

  private Addressing() {}

  static Optional<Addressed> of(Statements on, RunId run, GroupName group, Optional<Key> key) {
    return on.first(RUN_AND_STEER, Addressing::addressed, group, key, run);
  }

  private static Addressed addressed(Row row) throws SQLException {
    return new Addressed(
        RunTable.run(row), row.flag() ? Optional.of(SteerTable.steer(row)) : Optional.empty());
  }
}
