package dev.midcourse.engine;

/** The run is no longer this supervisor's: it ended, or another attempt or host has the say. */
final class Fenced extends RuntimeException {
  private static final long serialVersionUID = 1;

  Fenced(String why) {
    super(why);
  }
}
