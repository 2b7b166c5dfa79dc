package dev.midcourse.agents.process.output;

/** A file that is being followed, until this object is closed. */
public interface Tail extends AutoCloseable {

  /** Returns the offset up to which the listener has taken the bytes of the file. */
  long offset();

  /**
   * Stops following the file. After the return the listener is not called any more, unless the
   * listener itself called this method.
   */
  @Override
  void close();
}
