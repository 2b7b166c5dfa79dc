package dev.midcourse.ledger.sql.table;

import dev.midcourse.core.WireNames;
import dev.midcourse.core.agent.AgentEvent.TurnEnd;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.run.TurnPurpose;
import dev.midcourse.core.run.TurnRecord;
import dev.midcourse.ledger.sql.jdbc.Row;
import dev.midcourse.ledger.sql.jdbc.SqlSession;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The table turns. */
public final class TurnTable {
  private static final String ONE =
      """
      SELECT run_id, number, attempt, purpose, message, steers, taken, opened_at, ended_at,
             how, answer
      FROM turns
      WHERE run_id = ? AND number = ?
      """;

  private static final String OF_RUN =
      """
      SELECT run_id, number, attempt, purpose, message, steers, taken, opened_at, ended_at,
        how, answer
      FROM turns
      WHERE run_id = ?
      ORDER BY number
      """;

  private static final String PUT =
      """
      INSERT INTO turns (
        run_id, number, attempt, purpose, message, steers, taken, opened_at, ended_at, how,
        answer)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (run_id, number) DO UPDATE SET
        attempt = excluded.attempt, purpose = excluded.purpose, message = excluded.message,
        steers = excluded.steers, taken = excluded.taken,
        opened_at = excluded.opened_at, ended_at = excluded.ended_at, how = excluded.how,
        answer = excluded.answer
      """;

  private TurnTable() {}

  static Optional<TurnRecord> one(SqlSession on, RunId run, int number) {
    return on.first(ONE, TurnTable::turn, run, number);
  }

  static List<TurnRecord> ofRun(SqlSession on, RunId run) {
    return on.all(OF_RUN, TurnTable::turn, run);
  }

  public static void put(ChangeRecorder changes, TurnRecord turn) {
    changes.add(
        PUT,
        turn.run(),
        turn.number(),
        turn.attempt(),
        turn.purpose(),
        turn.message(),
        turn.steers().stream().map(SteerId::value).collect(Collectors.joining(" ")),
        turn.taken(),
        turn.openedAt(),
        turn.endedAt(),
        turn.how(),
        turn.answer());
  }

  private static TurnRecord turn(Row row) throws SQLException {
    return new TurnRecord(
        row.parsed("run_id", RunId::of),
        row.integer("number"),
        row.integer("attempt"),
        row.parsed("purpose", TurnPurpose::parse),
        row.text("message"),
        steers(row.text("steers")),
        row.flag("taken"),
        row.instant("opened_at"),
        row.optionalInstant("ended_at"),
        row.optionalParsed("how", how -> WireNames.parse(TurnEnd.class, "how", how)),
        row.optionalText("answer"));
  }

  private static List<SteerId> steers(String ids) {
    return ids.isEmpty() ? List.of() : Stream.of(ids.split(" ", -1)).map(SteerId::of).toList();
  }
}
