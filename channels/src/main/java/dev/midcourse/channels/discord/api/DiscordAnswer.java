package dev.midcourse.channels.discord.api;

import dev.midcourse.channels.SendResult;
import dev.midcourse.core.json.JsonValue;
import java.time.Duration;

/** The answer of the HTTP API to one call. */
public sealed interface DiscordAnswer {
  Duration TOKEN_DELAY = Duration.ofMinutes(5);

  /** What is known about a message that was sent with the call. */
  SendResult sendResult();

  /** Discord has carried it out. */
  record Done(JsonValue body) implements DiscordAnswer {
    public JsonValue.Obj object() {
      return body instanceof JsonValue.Obj object ? object : JsonValue.Obj.EMPTY;
    }

    @Override
    public SendResult sendResult() {
      return object()
          .string("id")
          .filter(Snowflake::isValid)
          .<SendResult>map(SendResult.Sent::new)
          .orElseGet(() -> new SendResult.Unknown("Discord did not tell the id of the message"));
    }
  }

  /** Discord takes no such call before this time has passed; or none was made for that reason. */
  record Limited(Duration delay, String reason) implements DiscordAnswer {
    @Override
    public SendResult sendResult() {
      return new SendResult.RetryAfter(delay, reason);
    }
  }

  /**
   * Discord has not carried it out, or this is not known.
   *
   * @param status the HTTP status
   * @param code the error code of Discord; 0 without one
   */
  record Failed(int status, int code, String message) implements DiscordAnswer {
    public static final int UNAUTHORIZED = 401;
    static final int FORBIDDEN = 403;
    private static final int UNAVAILABLE = 503;

    public String reason() {
      String words =
          switch (code) {
            case 10_003 -> "the channel does not exist any more";
            case 10_008 -> "the message does not exist any more";
            case 40_005 -> "the file is too large for Discord";
            case 50_001 -> "the bot cannot see the channel: give its role View Channel";
            case 50_007 -> "the person does not take direct messages of the bot";
            case 50_013 -> "the bot lacks a permission in the channel: midcourse channel test";
            case 90_001 -> "the person has blocked the bot";
            default -> "Discord answered with status " + status + ": " + message;
          };
      return code == 0 ? words : words + " (error " + code + ")";
    }

    @Override
    public SendResult sendResult() {
      if (status == UNAUTHORIZED) {
        return new SendResult.RetryAfter(TOKEN_DELAY, "Discord refuses the token of the bot");
      }
      if (status == UNAVAILABLE) {
        return new SendResult.RetryAfter(Duration.ZERO, reason());
      }
      return status / 100 == 5
          ? new SendResult.Unknown(reason())
          : new SendResult.Refused(reason());
    }
  }
}
