package dev.midcourse.ledger.sql.table;

import dev.midcourse.core.WireNames;
import dev.midcourse.core.agent.AgentEvent.AskKind;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.run.Ask;
import dev.midcourse.ledger.sql.jdbc.Row;
import dev.midcourse.ledger.sql.jdbc.SqlSession;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** The table asks: questions of agents and their answers. */
public final class AskTable {
  private static final String ONE =
      """
      SELECT run_id, attempt, ask_id, kind, question, detail, asked_at, answer, closed_at
      FROM asks
      WHERE run_id = ? AND ask_id = ?
      """;

  private static final String OF_RUN =
      """
      SELECT run_id, attempt, ask_id, kind, question, detail, asked_at, answer, closed_at
      FROM asks
      WHERE run_id = ?
      ORDER BY asked_at, ask_id
      """;

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

  public static void put(ChangeRecorder changes, Ask ask) {
    changes.add(
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
        row.parsed("run_id", RunId::of),
        row.integer("attempt"),
        row.text("ask_id"),
        row.parsed("kind", kind -> WireNames.parse(AskKind.class, "kind", kind)),
        row.text("question"),
        row.text("detail"),
        row.instant("asked_at"),
        row.optionalText("answer"),
        row.optionalInstant("closed_at"));
  }
}
