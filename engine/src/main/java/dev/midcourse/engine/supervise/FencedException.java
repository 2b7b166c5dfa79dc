package dev.midcourse.engine.supervise;

/** The run is no longer this supervisor's: it ended, or another attempt or host has the say. */
final class FencedException extends RuntimeException {
  private static final long serialVersionUID = 1;

  FencedException(String why) {
    super(why);
  }
}
