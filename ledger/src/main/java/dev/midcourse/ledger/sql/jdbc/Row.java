package dev.midcourse.ledger.sql.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLNonTransientException;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The current row of a result. Columns are read by their labels in the select list. */
public final class Row {
  private final ResultSet result;
  private final Columns columns;
  private final String prefix;

  Row(ResultSet result, Columns columns) {
    this(result, columns, "");
  }

  private Row(ResultSet result, Columns columns, String prefix) {
    this.result = result;
    this.columns = columns;
    this.prefix = prefix;
  }

  /** Makes a value of a row. */
  @FunctionalInterface
  public interface RowMapper<T> {
    T of(Row row) throws SQLException;
  }

  /**
   * The positions of the columns of one statement, by label. They are looked up once for each
   * prepared statement, not for each result.
   */
  static final class Columns {
    private final Map<String, Integer> positions;

    private Columns(Map<String, Integer> positions) {
      this.positions = positions;
    }

    static Columns of(ResultSet result) throws SQLException {
      int count = result.getMetaData().getColumnCount();
      Map<String, Integer> positions = HashMap.newHashMap(count);
      for (int at = 1; at <= count; at++) {
        String label = result.getMetaData().getColumnLabel(at);
        if (positions.put(label, at) != null) {
          throw new SQLNonTransientException("two columns have the label " + label);
        }
      }
      return new Columns(positions);
    }

    int position(String label) throws SQLException {
      @Nullable Integer position = positions.get(label);
      if (position == null) {
        throw new SQLNonTransientException(
            "no column has the label " + label + ", only " + positions.keySet());
      }
      return position;
    }
  }

  /** The same row; the prefix is put before each label. */
  public Row withPrefix(String added) {
    return new Row(result, columns, prefix + added);
  }

  public String text(String label) throws SQLException {
    return optionalText(label)
        .orElseThrow(() -> new IllegalStateException("column " + label + " is NULL"));
  }

  public Optional<String> optionalText(String label) throws SQLException {
    @Nullable String text = result.getString(position(label));
    return Optional.ofNullable(text);
  }

  public <T> T parsed(String label, Function<String, T> parser) throws SQLException {
    return parser.apply(text(label));
  }

  public <T> Optional<T> optionalParsed(String label, Function<String, T> parser)
      throws SQLException {
    return optionalText(label).map(parser);
  }

  /** The number; 0 if the column is NULL. */
  public long number(String label) throws SQLException {
    return result.getLong(position(label));
  }

  public Optional<Long> optionalNumber(String label) throws SQLException {
    long number = number(label);
    return result.wasNull() ? Optional.empty() : Optional.of(number);
  }

  public int integer(String label) throws SQLException {
    return Math.toIntExact(number(label));
  }

  public Optional<Integer> optionalInteger(String label) throws SQLException {
    int integer = integer(label);
    return result.wasNull() ? Optional.empty() : Optional.of(integer);
  }

  public boolean flag(String label) throws SQLException {
    return result.getBoolean(position(label));
  }

  public Instant instant(String label) throws SQLException {
    return SqlTimes.instant(number(label));
  }

  public Optional<Instant> optionalInstant(String label) throws SQLException {
    long nanos = number(label);
    return result.wasNull() ? Optional.empty() : Optional.of(SqlTimes.instant(nanos));
  }

  private int position(String label) throws SQLException {
    return columns.position(prefix.isEmpty() ? label : prefix + label);
  }
}
