package dev.midcourse.channels.http;

import dev.midcourse.core.json.JsonException;
import dev.midcourse.core.json.JsonReader;
import dev.midcourse.core.json.JsonValue;
import java.net.http.HttpHeaders;
import java.time.Duration;
import java.util.Optional;

/** The answer of a platform. */
public record PlatformResponse(int status, HttpHeaders headers, String text) {
  private static final Duration MAX_RETRY_AFTER = Duration.ofHours(1);

  /** Returns the body as a JSON object; an empty object if it is something else. */
  public JsonValue.Obj json() {
    try {
      return JsonReader.readObject(text);
    } catch (JsonException notAnObject) {
      return JsonValue.Obj.EMPTY;
    }
  }

  /** The seconds of the header {@code Retry-After}, which may have a fraction. */
  public Optional<Duration> retryAfter() {
    return headers
        .firstValue("Retry-After")
        .map(String::strip)
        .filter(text -> text.matches("\\d{1,9}(\\.\\d{1,9})?"))
        .map(text -> seconds(Double.parseDouble(text)));
  }

  /** The duration of so many seconds, of one hour at most. */
  public static Duration seconds(double seconds) {
    Duration asked = Duration.ofMillis((long) Math.ceil(Math.max(0, seconds) * 1_000));
    return asked.compareTo(MAX_RETRY_AFTER) > 0 ? MAX_RETRY_AFTER : asked;
  }
}
