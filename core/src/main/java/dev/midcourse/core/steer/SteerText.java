package dev.midcourse.core.steer;

import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.Utf8;

/**
 * The text of a steer, unchanged. It is not blank, has at most 64 KiB as UTF-8, and contains
 * neither NUL nor half of a surrogate pair.
 */
public record SteerText(String value) {
  public static final int MAX_BYTES = 64 * 1024;

  public SteerText {
    if (value.isBlank()) {
      throw Problem.invalid("text", "not blank", "text is blank").refused();
    }
    if (Utf8.longerThan(value, MAX_BYTES)) {
      throw Problem.of(
              Code.TOO_LARGE,
              "text",
              "at most 64 KiB of UTF-8",
              "text is " + Utf8.length(value) + " bytes; the limit is " + MAX_BYTES)
          .refused();
    }
    if (value.indexOf('\0') >= 0) {
      throw Problem.invalid("text", "no NUL character", "text contains a NUL character").refused();
    }
    if (!Utf8.isWhole(value)) {
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
