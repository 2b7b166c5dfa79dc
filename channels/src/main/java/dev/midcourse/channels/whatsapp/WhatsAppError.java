package dev.midcourse.channels.whatsapp;

import dev.midcourse.channels.SendResult;
import dev.midcourse.core.json.JsonValue;
import java.time.Duration;

/**
 * An error of the platform.
 *
 * @param text what the platform says about it
 */
record WhatsAppError(long code, String text) {
  static final String TOKEN_REMEDY =
      "Make a new token of a system user at the platform and store it where token_file or"
          + " token_command reads it.";
  private static final Duration SLOWER = Duration.ofSeconds(10);
  private static final int MAX_TEXT = 300;

  static WhatsAppError read(JsonValue.Obj error) {
    String text =
        error
            .object("error_data")
            .string("details")
            .or(() -> error.string("message"))
            .or(() -> error.string("title"))
            .orElse("no reason given");
    return new WhatsAppError(
        error.number("code").orElse(0L), text.substring(0, Math.min(text.length(), MAX_TEXT)));
  }

  boolean isToken() {
    return code == 190;
  }

  /** The meaning of the error for the message, in words that a person can act on. */
  String shown() {
    String words =
        switch ((int) code) {
          case 131047 ->
              "WhatsApp delivers only within 24 hours after the person has written; ask the person"
                  + " to write to the bot";
          case 131026 -> "the person cannot get messages of this number";
          case 131031, 368 -> "the platform has locked the account";
          case 190 -> "the token is no longer valid. " + TOKEN_REMEDY;
          case 10, 200, 131005 -> "the token lacks a permission";
          case 131051, 131052, 131053 -> "the platform does not take this kind of content";
          default -> text;
        };
    return words + " (error " + code + ")";
  }

  /** What is known about a request that got this error with this status. */
  SendResult sendResult(int status, Duration retryAfter) {
    boolean isTooFast =
        status == 429
            || code == 4
            || code == 80007
            || code == 130429
            || code == 131048
            || code == 131056;
    if (isTooFast) {
      return new SendResult.RetryAfter(
          retryAfter.compareTo(SLOWER) > 0 ? retryAfter : SLOWER, shown());
    }
    if (code == 131000 || code == 131016 || code == 2 || code == 1 || status >= 500) {
      // The vendor does not say whether a message that ends so was sent.
      return status == 503
          ? new SendResult.RetryAfter(retryAfter, shown())
          : new SendResult.Unknown(shown());
    }
    return new SendResult.Refused(shown());
  }
}
