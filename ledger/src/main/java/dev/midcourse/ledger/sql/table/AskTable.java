package dev.midcourse.ledger.sql.table;

import dev.midcourse.core.WireNames;
import dev.midcourse.core.agent.AgentEvent.AskKind;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.run.Ask;
import dev.midcourse.ledger.sql.jdbc.Row;
import dev.midcourse.ledger.sql.jdbc.SqlSession;
import dev.midcourse.ledger.sql.write.PendingWrites;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** What agents asked, as rows. */
public final class AskTable {
  private static final String COLUMNS =
      """
      SELECT run_id, attempt, ask_id, kind, question, detail, asked_at, answer, closed_at
      FROM asks
      """;

  private static final String ONE = COLUMNS + "WHERE run_id = ? AND ask_id = ?";

  private static final String OF_RUN = COLUMNS + "WHERE run_id = ? ORDER BY asked_at, ask_id";

  private static final String PUT =
      """
      INSERT INTO asks (
        run_id, attempt, ask_id, kind, question, detail, asked_at, answer, closed_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (run_id, ask_id) DO UPDATE SET
        attempt = excluded.attempt, kind = excluded.kind, question = excluded.question,
        detail = excluded.detail, asked_at = excluded.asked_at, answer = excluded.answer,
        closed_at = excluded.closed_at
      """;

  private AskTable() {}

  static Optional<Ask> one(SqlSession on, RunId run, String id) {
    return on.first(ONE, AskTable::ask, run, id);
  }

  static List<Ask> ofRun(SqlSession on, RunId run) {
    return on.all(OF_RUN, AskTable::ask, run);
  }

  public static void put(PendingWrites draft, Ask ask) {
    draft.change(
        PUT,
        ask.run(),
        ask.attempt(),
        ask.id(),
        ask.kind(),
        ask.question(),
        ask.detail(),
        ask.askedAt(),
        ask.answer(),
        ask.closedAt());
  }

  private static Ask ask(Row row) throws SQLException {
    return new Ask(
        row.as(RunId::of),
        row.count(),
        row.text(),
        row.as(kind -> WireNames.parse(AskKind.class, "kind", kind)),
        row.text(),
        row.text(),
        row.time(),
        row.maybeText(),
        row.maybeTime());
  }
}
