package dev.midcourse.core.chat;

import dev.midcourse.core.Problem;
import dev.midcourse.core.WireNames;
import java.util.regex.Pattern;

/**
 * The rule of the ids that Midcourse creates for people, chats, wirings and what belongs to them.
 */
public final class ChatIdRule {
  private static final Pattern SHAPE = Pattern.compile("[a-z0-9][a-z0-9-]{0,63}");
  private static final String RULE = "1 to 64 lower-case letters, digits or '-'";

  private ChatIdRule() {}

  /** Refuses a text that does not follow the rule. */
  public static void check(String field, String text) {
    if (!SHAPE.matcher(text).matches()) {
      throw Problem.invalid(
              field, RULE, field + " must be " + RULE + "; got " + WireNames.shown(text))
          .refused();
    }
  }
}
