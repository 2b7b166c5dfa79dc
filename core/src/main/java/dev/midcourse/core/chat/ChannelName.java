package dev.midcourse.core.chat;

import dev.midcourse.core.Problem;
import dev.midcourse.core.WireNames;
import java.util.regex.Pattern;

/** The name of a channel, which is a way to people: {@code telegram}, {@code terminal}. */
public record ChannelName(String value) {
  private static final Pattern SHAPE = Pattern.compile("[a-z][a-z0-9_-]{0,31}");
  private static final String RULE =
      "1 to 32 lower-case letters, digits, '_' or '-', starting with a letter";

  public ChannelName {
    if (!SHAPE.matcher(value).matches()) {
      throw Problem.invalid(
              "channel", RULE, "channel must be " + RULE + "; got " + WireNames.shown(value))
          .refused();
    }
  }

  public static ChannelName of(String text) {
    return new ChannelName(text);
  }

  @Override
  public String toString() {
    return value;
  }
}
