package dev.midcourse.ledger;

/** A lock that this process holds between all processes that share the store. */
public interface StoreLock extends AutoCloseable {
  /**
   * Whether it is still held. False for good once the connection to the store was lost: then
   * another process may hold it.
   */
  boolean isHeld();

  /** Gives the lock back. A second call does nothing. */
  @Override
  void close();
}
