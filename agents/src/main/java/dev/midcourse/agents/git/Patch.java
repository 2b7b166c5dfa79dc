package dev.midcourse.agents.git;

import java.util.List;
import java.util.stream.Collectors;

/**
 * What a run has changed, for people to read. What it lacks is said at its end, in lines of their
 * own, so that nobody takes a part for the whole.
 *
 * @param whole whether nothing is lacking
 */
public record Patch(String text, boolean whole) {

  static Patch of(String text, List<String> lacking) {
    String marked =
        lacking.stream()
            .map(what -> "\\ Midcourse: this patch is not whole: " + what + "\n")
            .collect(Collectors.joining());
    String separate = text.isEmpty() || text.endsWith("\n") ? text : text + "\n";
    return lacking.isEmpty() ? new Patch(text, true) : new Patch(separate + marked, false);
  }
}
