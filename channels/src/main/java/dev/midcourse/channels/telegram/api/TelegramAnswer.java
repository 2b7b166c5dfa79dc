package dev.midcourse.channels.telegram.api;

import dev.midcourse.core.json.JsonValue;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What Telegram answered to a call. */
public sealed interface TelegramAnswer {

  /** Telegram has carried out the call. */
  record Ok(JsonValue result) implements TelegramAnswer {
    public JsonValue.Obj object() {
      return result instanceof JsonValue.Obj object ? object : JsonValue.Obj.EMPTY;
    }

    public List<JsonValue.Obj> objects() {
      return result instanceof JsonValue.Arr array ? array.objects() : List.of();
    }
  }

  /**
   * Telegram has not carried out the call; with a code from 500 that is not sure.
   *
   * @param movedTo the new id of the chat
   */
  record Failed(
      int code, String description, Optional<Duration> retryAfter, Optional<String> movedTo)
      implements TelegramAnswer {

    /** Whether the description of the error contains this text, in whatever case. */
    public boolean says(String part) {
      return description.toLowerCase(Locale.ROOT).contains(part);
    }

    /**
     * Whether Telegram refuses the token: revoked, or never one. Another server on the way, such as
     * a proxy, uses other words for these codes.
     */
    public boolean isBadToken() {
      return (code == 401 && says("unauthorized")) || (code == 404 && says("not found"));
    }
  }
}
