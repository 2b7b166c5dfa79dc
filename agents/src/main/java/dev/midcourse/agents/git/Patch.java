package dev.midcourse.agents.git;

import java.util.List;
import java.util.stream.Collectors;

/**
 * The changes of a run as a patch. Lines at its end name the missing parts, so that a reader does
 * not take an incomplete patch for the whole.
 *
 * @param whole whether nothing is missing
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
