package dev.midcourse.ledger.sql.table;

import dev.midcourse.core.id.RunId;
import dev.midcourse.ledger.Log.Filter;
import dev.midcourse.ledger.Log.LogEntry;
import dev.midcourse.ledger.sql.jdbc.Row;
import dev.midcourse.ledger.sql.jdbc.SqlSession;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The table events: the log. */
public final class EventTable {
  private static final String INSERT =
      """
      INSERT INTO events (cursor, at, run_id, kind, body)
      VALUES (?, ?, ?, ?, ?)
      """;

  private static final String NEWEST =
      """
      SELECT value FROM counters WHERE name = 'cursor'
      """;

  private EventTable() {}

  public static long newest(SqlSession on) {
    return on.number(NEWEST);
  }

  public static void insert(SqlSession on, List<LogEntry> entries) {
    List<List<Object>> rows = new ArrayList<>(entries.size());
    for (LogEntry entry : entries) {
      rows.add(List.of(entry.cursor(), entry.at(), entry.run(), entry.kind(), entry.json()));
    }
    on.updateEach(INSERT, rows);
  }

  public static List<LogEntry> after(SqlSession on, long cursor, Filter filter, int limit) {
    List<Object> values = new ArrayList<>();
    values.add(cursor);
    String sql =
        """
        SELECT cursor, at, run_id, kind, body
        FROM events
        WHERE cursor > ?%s
        ORDER BY cursor
        LIMIT ?
        """
            .formatted(conditions(filter, values));
    values.add(limit);
    return on.all(sql, EventTable::logged, values.toArray());
  }

  public static List<LogEntry> last(SqlSession on, Filter filter, int limit) {
    List<Object> values = new ArrayList<>();
    String sql =
        """
        SELECT cursor, at, run_id, kind, body
        FROM events
        WHERE cursor > 0%s
        ORDER BY cursor DESC
        LIMIT ?
        """
            .formatted(conditions(filter, values));
    values.add(limit);
    List<LogEntry> newestFirst = on.all(sql, EventTable::logged, values.toArray());
    Collections.reverse(newestFirst);
    return newestFirst;
  }

  private static String conditions(Filter filter, List<Object> values) {
    StringBuilder sql = new StringBuilder();
    filter
        .run()
        .ifPresent(run -> {
          sql.append(" AND run_id = ?");
          values.add(run);
        });
    if (!filter.kinds().isEmpty()) {
      String places = String.join(", ", Collections.nCopies(filter.kinds().size(), "?"));
      sql.append(" AND kind IN (").append(places).append(')');
      values.addAll(filter.kinds());
    }
    return sql.toString();
  }

  private static LogEntry logged(Row row) throws SQLException {
    return new LogEntry(
        row.number("cursor"),
        row.instant("at"),
        row.parsed("run_id", RunId::of),
        row.text("kind"),
        row.text("body"));
  }
}
