package dev.midcourse.ledger.sql.table;

/** Takes the statements that change a table; it may send them to the store later. */
@FunctionalInterface
public interface ChangeRecorder {
  void add(String sql, Object... values);
}
