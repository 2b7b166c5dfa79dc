package dev.midcourse.ledger.sql.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One row of a result, read column by column in the order of the select list. */
public final class Row {
  private final ResultSet result;
  private int column;

  Row(ResultSet result) {
    this.result = result;
  }

  /** What a row is made into. */
  @FunctionalInterface
  public interface RowMapper<T> {
    T of(Row row) throws SQLException;
  }

  public String text() throws SQLException {
    return maybeText()
        .orElseThrow(() -> new IllegalStateException("column " + column + " is empty"));
  }

  public Optional<String> maybeText() throws SQLException {
    @Nullable String text = result.getString(++column);
    return Optional.ofNullable(text);
  }

  public <T> T as(Function<String, T> parser) throws SQLException {
    return parser.apply(text());
  }

  public <T> Optional<T> maybe(Function<String, T> parser) throws SQLException {
    return maybeText().map(parser);
  }

  public long number() throws SQLException {
    return result.getLong(++column);
  }

  public int count() throws SQLException {
    return Math.toIntExact(number());
  }

  public Optional<Integer> maybeCount() throws SQLException {
    int count = count();
    return result.wasNull() ? Optional.empty() : Optional.of(count);
  }

  public boolean flag() throws SQLException {
    return result.getBoolean(++column);
  }

  public Instant time() throws SQLException {
    return SqlTimes.instant(number());
  }

  public Optional<Instant> maybeTime() throws SQLException {
    long nanos = number();
    return result.wasNull() ? Optional.empty() : Optional.of(SqlTimes.instant(nanos));
  }
}
