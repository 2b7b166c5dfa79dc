package dev.midcourse.engine.attempt;

/**
 * Thrown by a commit when the supervisor does not own the run any more: the run has ended, or
 * another attempt or host owns it.
 */
public final class FencedException extends RuntimeException {
  private static final long serialVersionUID = 1;

  FencedException(String why) {
    super(why);
  }
}
