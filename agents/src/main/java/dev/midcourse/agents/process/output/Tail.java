package dev.midcourse.agents.process.output;

/** One file being followed, until closed. */
public interface Tail extends AutoCloseable {

  /** Up to where the listener has taken the file's bytes. */
  long offset();

  /** Ends the following. On return the listener is not called any more, unless it is the caller. */
  @Override
  void close();
}
