package dev.midcourse.agents.git;

import java.util.List;
import java.util.stream.Collectors;

/**
 * The changes of a run as a patch: first the commits, then, after a line that says so, the changes
 * that are not committed. Lines at its end name the missing parts, so that a reader does not take
 * an incomplete patch for the whole.
 *
 * @param whole whether nothing is missing
 */
public record Patch(String text, boolean whole) {
  /** The line before the changes that a push would not send. */
  public static final String NOT_COMMITTED =
      "\\ Midcourse: the changes below are not committed; a push would not send them\n";

  static Patch of(String committed, String open, List<String> lacking) {
    String parts = open.isEmpty() ? committed : ended(committed) + NOT_COMMITTED + open;
    String marked =
        lacking.stream()
            .map(what -> "\\ Midcourse: this patch is not whole: " + what + "\n")
            .collect(Collectors.joining());
    return lacking.isEmpty() ? new Patch(parts, true) : new Patch(ended(parts) + marked, false);
  }

  private static String ended(String text) {
    return text.isEmpty() || text.endsWith("\n") ? text : text + "\n";
  }
}
