package dev.midcourse.cli.json;

/** Text that should have been JSON and is not; says where it goes wrong. */
public final class JsonException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  JsonException(String message) {
    super(message);
  }
}
