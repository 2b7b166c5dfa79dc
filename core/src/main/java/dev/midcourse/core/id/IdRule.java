package dev.midcourse.core.id;

import dev.midcourse.core.Problem;
import dev.midcourse.core.WireNames;
import java.util.regex.Pattern;

/**
 * The rule of one kind of id: its characters and its largest length. An id is never blank and never
 * contains {@code ..}.
 */
record IdRule(String field, Pattern shape, int maxLength, String words) {

  /** Returns the text if it follows the rule. Otherwise refuses it with the field and the rule. */
  String check(String text) {
    boolean sound =
        text.length() <= maxLength && shape.matcher(text).matches() && !text.contains("..");
    if (!sound) {
      throw Problem.invalid(
              field, words, field + " must be " + words + "; got " + WireNames.shown(text))
          .refused();
    }
    return text;
  }
}
