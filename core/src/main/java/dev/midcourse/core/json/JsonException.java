package dev.midcourse.core.json;

/** Reports text that is not JSON. The message names the line, the column and the expected input. */
public final class JsonException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  JsonException(String message) {
    super(message);
  }
}
