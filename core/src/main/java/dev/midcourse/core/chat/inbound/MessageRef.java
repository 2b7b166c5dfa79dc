package dev.midcourse.core.chat.inbound;

import dev.midcourse.core.Problem;
import dev.midcourse.core.chat.ChannelName;

/**
 * Names one message of a platform.
 *
 * @param chat the id of the chat in its channel
 * @param message the id of the message in its chat
 */
public record MessageRef(ChannelName channel, String chat, String message) {
  private static final int MAX_LENGTH = 500;

  public MessageRef {
    check("chat", chat);
    check("message_id", message);
  }

  private static void check(String field, String text) {
    if (text.isBlank() || text.length() > MAX_LENGTH || text.indexOf('\0') >= 0) {
      throw Problem.invalid(field, "1 to 500 characters", field + " must have 1 to 500 characters")
          .refused();
    }
  }

  @Override
  public String toString() {
    return channel + ":" + chat + ":" + message;
  }
}
