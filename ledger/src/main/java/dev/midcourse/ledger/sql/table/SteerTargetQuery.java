package dev.midcourse.ledger.sql.table;

import dev.midcourse.core.id.GroupName;
import dev.midcourse.core.id.IdempotencyKey;
import dev.midcourse.core.id.RunId;
import dev.midcourse.ledger.Transaction.Addressed;
import dev.midcourse.ledger.sql.jdbc.Row;
import dev.midcourse.ledger.sql.jdbc.SqlSession;
import java.sql.SQLException;
import java.util.Optional;

/** Reads the run of a new steer, and the steer that has the same key, in one query. */
public final class SteerTargetQuery {
  /** Goes before the labels of the steer, because runs and steers share column names. */
  private static final String STEER = "same_key_";

  private static final String RUN_AND_STEER =
      """
      SELECT %s,
        s.steer_id AS same_key_steer_id,
        s.run_id AS same_key_run_id,
        s.seq AS same_key_seq,
        s.author_group AS same_key_author_group,
        s.author_origin AS same_key_author_origin,
        s.mode AS same_key_mode,
        s.delivered_mode AS same_key_delivered_mode,
        s.on_unsupported AS same_key_on_unsupported,
        s.text AS same_key_text,
        s.edits AS same_key_edits,
        s.key AS same_key_key,
        s.keyed_content AS same_key_keyed_content,
        s.expected_turn AS same_key_expected_turn,
        s.expires_at AS same_key_expires_at,
        s.supersedes AS same_key_supersedes,
        s.holder AS same_key_holder,
        s.rungs AS same_key_rungs,
        s.carried_to AS same_key_carried_to,
        s.ended AS same_key_ended,
        s.ended_at AS same_key_ended_at,
        s.reason AS same_key_reason
      FROM runs r
      JOIN briefs b ON b.run_id = r.run_id
      LEFT JOIN steers s ON s.author_group = ? AND s.key = ?
      WHERE r.run_id = ?
      """
          .formatted(RunTable.COLUMNS);

  private SteerTargetQuery() {}

  public static Optional<Addressed> of(
      SqlSession on, RunId run, GroupName group, Optional<IdempotencyKey> key) {
    return on.first(RUN_AND_STEER, SteerTargetQuery::addressed, group, key, run);
  }

  private static Addressed addressed(Row row) throws SQLException {
    Row steer = row.withPrefix(STEER);
    boolean keyIsUsed = steer.optionalText("steer_id").isPresent();
    return new Addressed(
        RunTable.run(row), keyIsUsed ? Optional.of(SteerTable.steer(steer)) : Optional.empty());
  }
}
