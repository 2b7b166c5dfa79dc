package dev.midcourse.core.id;

import dev.midcourse.core.Problem;
import dev.midcourse.core.WireNames;
import java.util.regex.Pattern;

/** One check for one kind of id: which characters, how long; never a path, never blank. */
record IdRule(String field, Pattern shape, int longest, String words) {

  /** The text itself when it keeps the rule; otherwise a refusal that names field and rule. */
  String check(String text) {
    boolean sound =
        text.length() <= longest && shape.matcher(text).matches() && !text.contains("..");
    if (!sound) {
      throw Problem.invalid(
              field, words, field + " must be " + words + "; got " + WireNames.shown(text))
          .refused();
    }
    return text;
  }
}
