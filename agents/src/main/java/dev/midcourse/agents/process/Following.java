package dev.midcourse.agents.process;

/** One file being followed, until closed. */
public interface Following extends AutoCloseable {

  /** Up to where the listener has taken the file's bytes. */
  long offset();

  /** Ends the following. On return the listener is not called any more, unless it is the caller. */
  @Override
  void close();
}
