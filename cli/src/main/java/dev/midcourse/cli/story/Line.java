package dev.midcourse.cli.story;

import dev.midcourse.cli.screen.Clean;
import dev.midcourse.cli.screen.Ink;

/**
 * One thing that happened, in words.
 *
 * @param text clean, perhaps of several lines
 * @param weight how much of it a reader wants
 */
public record Line(Ink ink, String text, Weight weight) {

  /** Who wants to read it. */
  public enum Weight {
    /** Everybody. */
    NEWS,
    /** Whoever reads a whole log. */
    DETAIL
  }

  static Line news(Ink ink, String text) {
    return new Line(ink, Clean.lines(text).strip(), Weight.NEWS);
  }

  static Line detail(String text) {
    return new Line(Ink.DIM, Clean.lines(text).strip(), Weight.DETAIL);
  }
}
