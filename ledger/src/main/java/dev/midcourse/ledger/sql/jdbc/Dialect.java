package dev.midcourse.ledger.sql.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

/** What differs between the stores: how one writes at a time, and what their errors mean. */
public interface Dialect {
  /** The name of the store in the names of its own migrations. */
  String name();

  /** A connection for the one thread that writes. */
  Connection connectToWrite() throws SQLException;

  /** The migration's text as this store reads it. */
  String adapted(String sql);

  /** Begins a transaction that nobody else changes the schema beside. */
  void beginAlone(SqlSession session);

  /**
   * Begins a transaction that nobody else in the whole ledger writes beside, with the savepoint
   * {@code work}, and returns the newest cursor.
   */
  long begin(SqlSession session);

  /**
   * Whether each statement is a journey to the store. Then many are told at once; otherwise each
   * work's are told by themselves, since what is behind a savepoint costs the more the more it is.
   */
  boolean isRemote();

  /** Lets go of the savepoint and sets it anew. */
  void moveSavepoint(SqlSession session);

  /** Makes the transaction durable; {@code cursor} is the newest, and new if it {@code moved}. */
  void commit(SqlSession session, long cursor, boolean moved);

  /** Is told how much was committed, when the callers have been. */
  void afterCommit(int changes);

  /** The error in words for whoever asked: a refusal, or a defect of ours. */
  RuntimeException refusal(SQLException error);

  /** Whether the connection is of no use after this error. */
  boolean lost(SQLException error);
}
