package dev.midcourse.ledger.sql.jdbc;

import dev.midcourse.core.WireNames;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A connection with its prepared statements; each statement is prepared once. An error of the
 * database is thrown as the dialect's exception and kept in {@link #failure}, so that the owner can
 * see it even if the caller catches the exception. One thread at a time may use a session.
 */
public final class SqlSession implements AutoCloseable {
  private final Connection connection;
  private final Dialect dialect;
  private final Map<String, Prepared> prepared = new HashMap<>();
  private @Nullable SQLException failure;

  /** A prepared statement and the columns of its results. */
  private static final class Prepared {
    private final PreparedStatement statement;
    private Row.@Nullable Columns columns;

    Prepared(PreparedStatement statement) {
      this.statement = statement;
    }

    Row.Columns columns(ResultSet result) throws SQLException {
      Row.@Nullable Columns known = columns;
      if (known == null) {
        known = Row.Columns.of(result);
        columns = known;
      }
      return known;
    }
  }

  public SqlSession(Connection connection, Dialect dialect) {
    this.connection = connection;
    this.dialect = dialect;
  }

  /** Executes a statement and returns the number of changed rows. */
  public int update(String sql, Object... values) {
    try {
      PreparedStatement statement = bound(sql, values).statement;
      return statement.execute() ? 0 : statement.getUpdateCount();
    } catch (SQLException e) {
      throw refused(e);
    }
  }

  /** Executes one statement for each row of values, as one JDBC batch. */
  public void updateEach(String sql, List<List<Object>> rows) {
    if (rows.size() == 1) {
      update(sql, rows.getFirst().toArray());
      return;
    }
    try {
      PreparedStatement statement = prepared(sql).statement;
      for (List<Object> values : rows) {
        bind(statement, values.toArray());
        statement.addBatch();
      }
      statement.executeBatch();
    } catch (SQLException e) {
      throw refused(e);
    }
  }

  /** The value of the first row, if there is a row. */
  public <T> Optional<T> first(String sql, Row.RowMapper<T> shape, Object... values) {
    try {
      Prepared query = bound(sql, values);
      try (ResultSet result = firstResult(query)) {
        return result.next()
            ? Optional.of(shape.of(new Row(result, query.columns(result))))
            : Optional.empty();
      }
    } catch (SQLException e) {
      throw refused(e);
    }
  }

  /** The values of all rows. */
  public <T> List<T> all(String sql, Row.RowMapper<T> shape, Object... values) {
    try {
      Prepared query = bound(sql, values);
      try (ResultSet result = firstResult(query)) {
        List<T> all = new ArrayList<>();
        if (result.next()) {
          Row row = new Row(result, query.columns(result));
          do {
            all.add(shape.of(row));
          } while (result.next());
        }
        return all;
      }
    } catch (SQLException e) {
      throw refused(e);
    }
  }

  /** The single number that the query selects; 0 if it selects no row. */
  public long number(String sql, Object... values) {
    try (ResultSet result = firstResult(bound(sql, values))) {
      return result.next() ? result.getLong(1) : 0;
    } catch (SQLException e) {
      throw refused(e);
    }
  }

  /** The last error since {@link #forget}. */
  public Optional<SQLException> failure() {
    return Optional.ofNullable(failure);
  }

  /** Clears the last error. */
  public void forget() {
    failure = null;
  }

  /** Closes the connection. An error is only logged, because nothing depends on it. */
  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException e) {
      System.getLogger(SqlSession.class.getName())
          .log(
              System.Logger.Level.DEBUG,
              "closing a connection to the ledger failed; it is given up",
              e);
    }
  }

  private RuntimeException refused(SQLException e) {
    failure = e;
    return dialect.refusal(e);
  }

  /** The result of the first statement in the SQL text. */
  private static ResultSet firstResult(Prepared query) throws SQLException {
    query.statement.execute();
    return query.statement.getResultSet();
  }

  private Prepared bound(String sql, Object... values) throws SQLException {
    Prepared known = prepared(sql);
    bind(known.statement, values);
    return known;
  }

  private Prepared prepared(String sql) throws SQLException {
    @Nullable Prepared known = prepared.get(sql);
    if (known == null) {
      known = new Prepared(connection.prepareStatement(sql));
      prepared.put(sql, known);
    }
    return known;
  }

  private static void bind(PreparedStatement statement, Object... values) throws SQLException {
    for (int i = 0; i < values.length; i++) {
      bind(statement, i + 1, values[i]);
    }
  }

  private static void bind(PreparedStatement statement, int at, Object value) throws SQLException {
    switch (value) {
      case Optional<?> maybe when maybe.isPresent() -> bind(statement, at, maybe.get());
      case Optional<?> _ -> statement.setNull(at, Types.NULL);
      case Long number -> statement.setLong(at, number);
      case Integer number -> statement.setLong(at, number);
      case Boolean flag -> statement.setBoolean(at, flag);
      case Instant time -> statement.setLong(at, SqlTimes.nanos(time));
      case Enum<?> constant -> statement.setString(at, WireNames.name(constant));
      default -> statement.setString(at, SqlTexts.storable(value.toString()));
    }
  }
}
