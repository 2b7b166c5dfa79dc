package dev.midcourse.ledger.sql.table;

import dev.midcourse.core.agent.Capabilities;
import dev.midcourse.core.id.HostName;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SessionId;
import dev.midcourse.core.run.Attempt;
import dev.midcourse.core.run.Run;
import dev.midcourse.ledger.json.JsonCodec;
import dev.midcourse.ledger.sql.jdbc.Row;
import dev.midcourse.ledger.sql.jdbc.SqlSession;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.ObjectReader;

/** The table attempts. */
public final class AttemptTable {
  private static final ObjectReader CAPABILITIES = JsonCodec.mapper().readerFor(Capabilities.class);

  private static final String COLUMNS =
      """
      run_id, number, host, mark, resumes, version, capabilities, pid, heard_to, memo,
      started_at, ended_at, end_reason\
      """;

  private static final String ONE =
      """
      SELECT %s
      FROM attempts
      WHERE run_id = ? AND number = ?
      """
          .formatted(COLUMNS);

  private static final String OF_RUN =
      """
      SELECT %s
      FROM attempts
      WHERE run_id = ?
      ORDER BY number
      """
          .formatted(COLUMNS);

  private static final String UNCLOSED =
      """
      SELECT %s
      FROM attempts
      WHERE host = ? AND ended_at IS NULL
      ORDER BY started_at, run_id, number
      """
          .formatted(COLUMNS);

  private static final String COUNT_UNCLOSED_OF_OTHERS =
      """
      SELECT count(*)
      FROM runs r
      JOIN attempts a ON a.run_id = r.run_id
      WHERE r.session_id = ? AND r.agent = ? AND r.run_id <> ? AND a.ended_at IS NULL
      """;

  private static final String PUT =
      """
      INSERT INTO attempts (
        run_id, number, host, mark, resumes, version, capabilities, pid, heard_to, memo,
        started_at, ended_at, end_reason)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (run_id, number) DO UPDATE SET
        host = excluded.host, mark = excluded.mark, resumes = excluded.resumes,
        version = excluded.version, capabilities = excluded.capabilities, pid = excluded.pid,
        heard_to = excluded.heard_to, memo = excluded.memo, started_at = excluded.started_at,
        ended_at = excluded.ended_at, end_reason = excluded.end_reason
      """;

  private static final String STORE_OUTPUT =
      """
      UPDATE attempts SET heard_to = ?, memo = ?
      WHERE run_id = ? AND number = ?
      """;

  private AttemptTable() {}

  static Optional<Attempt> one(SqlSession on, RunId run, int number) {
    return on.first(ONE, AttemptTable::attempt, run, number);
  }

  static List<Attempt> ofRun(SqlSession on, RunId run) {
    return on.all(OF_RUN, AttemptTable::attempt, run);
  }

  static List<Attempt> unclosed(SqlSession on, HostName host) {
    return on.all(UNCLOSED, AttemptTable::attempt, host);
  }

  static long countUnclosedOfOthers(SqlSession on, Run run, SessionId session) {
    return on.number(COUNT_UNCLOSED_OF_OTHERS, session, run.spec().agent(), run.id());
  }

  public static void put(ChangeRecorder changes, Attempt attempt) {
    changes.add(
        PUT,
        attempt.run(),
        attempt.number(),
        attempt.host(),
        attempt.mark(),
        attempt.resumes(),
        attempt.version(),
        attempt.can().map(JsonCodec::write),
        attempt.pid(),
        attempt.offset(),
        attempt.memo(),
        attempt.startedAt(),
        attempt.endedAt(),
        attempt.endReason());
  }

  public static void storeOutput(ChangeRecorder changes, Attempt attempt) {
    changes.add(STORE_OUTPUT, attempt.offset(), attempt.memo(), attempt.run(), attempt.number());
  }

  private static Attempt attempt(Row row) throws SQLException {
    return new Attempt(
        row.parsed("run_id", RunId::of),
        row.integer("number"),
        row.parsed("host", HostName::of),
        row.text("mark"),
        row.flag("resumes"),
        row.optionalText("version"),
        row.<Capabilities>optionalParsed("capabilities", CAPABILITIES::readValue),
        row.number("pid"),
        row.number("heard_to"),
        row.text("memo"),
        row.instant("started_at"),
        row.optionalInstant("ended_at"),
        row.optionalText("end_reason"));
  }
}
