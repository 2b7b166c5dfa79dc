package dev.midcourse.channels.slack.api;

import dev.midcourse.core.json.JsonValue;
import java.time.Duration;

/** The answer of the web API to a call. */
public sealed interface SlackAnswer {

  /**
   * The call was carried out.
   *
   * @param scopes what the token may do, with commas between; empty if Slack does not tell
   */
  record Done(JsonValue.Obj body, String scopes) implements SlackAnswer {}

  /**
   * The call was not carried out.
   *
   * @param error Slack's word for the reason, such as {@code channel_not_found}
   * @param detail what the answer adds to it, for people; may be empty
   */
  record Failed(String error, String detail) implements SlackAnswer {
    public String shown() {
      return "Slack answered " + error + (detail.isEmpty() ? "" : " (" + detail + ")");
    }
  }

  /** The call was not carried out, because there were too many. */
  record RateLimited(Duration delay) implements SlackAnswer {}

  /** The call may or may not have been carried out. */
  record Unclear(String reason) implements SlackAnswer {}
}
