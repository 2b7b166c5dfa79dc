package dev.midcourse.ledger.sql;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One row of a result, read column by column in the order of the select list. */
final class Row {
  private final ResultSet result;
  private int column;

  Row(ResultSet result) {
    this.result = result;
  }

  /** What a row is made into. */
  @FunctionalInterface
  interface Shape<T> {
    T of(Row row) throws SQLException;
  }

  String text() throws SQLException {
    return maybeText()
        .orElseThrow(() -> new IllegalStateException("column " + column + " is empty"));
  }

  Optional<String> maybeText() throws SQLException {
    @Nullable String text = result.getString(++column);
    return Optional.ofNullable(text);
  }

  <T> T as(Function<String, T> parser) throws SQLException {
    return parser.apply(text());
  }

  <T> Optional<T> maybe(Function<String, T> parser) throws SQLException {
    return maybeText().map(parser);
  }

  long number() throws SQLException {
    return result.getLong(++column);
  }

  int count() throws SQLException {
    return Math.toIntExact(number());
  }

  Optional<Integer> maybeCount() throws SQLException {
    int count = count();
    return result.wasNull() ? Optional.empty() : Optional.of(count);
  }

  boolean flag() throws SQLException {
    return result.getBoolean(++column);
  }

  Instant time() throws SQLException {
    return Times.instant(number());
  }

  Optional<Instant> maybeTime() throws SQLException {
    long nanos = number();
    return result.wasNull() ? Optional.empty() : Optional.of(Times.instant(nanos));
  }
}
