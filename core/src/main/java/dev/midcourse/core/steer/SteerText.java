package dev.midcourse.core.steer;

import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import java.nio.charset.StandardCharsets;

/**
 * What a steer says, kept byte for byte. Not blank, at most 64 KiB of UTF-8, whole characters, no
 * NUL.
 */
public record SteerText(String value) {
  public static final int LONGEST_BYTES = 64 * 1024;

  public SteerText {
    if (value.isBlank()) {
      throw Problem.invalid("text", "not blank", "the steer says nothing: text is blank").refused();
    }
    int bytes = value.getBytes(StandardCharsets.UTF_8).length;
    if (bytes > LONGEST_BYTES) {
      throw Problem.of(
              Code.TOO_LARGE,
              "text",
              "at most 64 KiB of UTF-8",
              "text is " + bytes + " bytes; the limit is " + LONGEST_BYTES)
          .refused();
    }
    if (value.indexOf('\0') >= 0) {
      throw Problem.invalid("text", "no NUL character", "text contains a NUL character").refused();
    }
    if (!StandardCharsets.UTF_8.newEncoder().canEncode(value)) {
      throw Problem.invalid("text", "valid Unicode", "text contains half a surrogate pair")
          .refused();
    }
  }

  public static SteerText of(String text) {
    return new SteerText(text);
  }

  @Override
  public String toString() {
    return value;
  }
}
