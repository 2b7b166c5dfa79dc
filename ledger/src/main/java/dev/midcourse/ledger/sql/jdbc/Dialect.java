package dev.midcourse.ledger.sql.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

/** The differences between the stores: connections, transactions and the meaning of errors. */
public interface Dialect {
  /** The name of the store, as in the file names of its migrations. */
  String name();

  /** Opens a connection for the writer thread. */
  Connection connectToWrite() throws SQLException;

  /** The text of a migration in the SQL of this store. */
  String adapted(String sql);

  /** Begins a transaction that excludes all other changes of the schema. */
  void beginAlone(SqlSession session);

  /**
   * Begins a transaction that excludes all other writers of the ledger, on every host. Sets the
   * savepoint {@code work} and returns the newest cursor.
   */
  long begin(SqlSession session);

  /**
   * Whether each statement is a network round trip. If so, the changes of many tasks are sent
   * together. If not, they are sent task by task, because a savepoint with many changes is slow.
   */
  boolean isRemote();

  /** Releases the savepoint {@code work} and sets it again. */
  void moveSavepoint(SqlSession session);

  /** Makes the transaction durable. Stores the newest {@code cursor} if it has {@code moved}. */
  void commit(SqlSession session, long cursor, boolean moved);

  /** Runs on the writer thread after a commit, when the callers have their answers. */
  void afterCommit(int changes);

  /** The exception for the caller: a refusal, or {@code IllegalStateException} for a defect. */
  RuntimeException refusal(SQLException error);

  /** Whether the connection must be closed after this error. */
  boolean lost(SQLException error);
}
