package dev.midcourse.proof.crash.chat;

import dev.midcourse.core.json.JsonValue;
import dev.midcourse.core.json.JsonWriter;
import dev.midcourse.proof.crash.chat.DrillChats.DrillChat;
import java.util.Optional;

/**
 * A message of a person in a drill.
 *
 * @param number in the order in which the person of the chat writes
 * @param replyTo the id of an earlier message of the chat
 */
record PersonMessage(
    DrillChat chat, int number, String sender, String text, Optional<String> replyTo) {

  String id() {
    return chat.platformId() + "-" + number;
  }

  /** The words by which the message is found in prompts, steers and transcripts. */
  String remark() {
    return remark(chat, number);
  }

  static String remark(DrillChat chat, int number) {
    return "remark " + chat.platformId() + "-" + number + ".";
  }

  /** The body of the request of the platform. */
  String body() {
    JsonValue.Obj body =
        JsonValue.Obj.EMPTY
            .with("message_id", id())
            .with(
                "chat",
                JsonValue.Obj.EMPTY.with("id", chat.platformId()).with("kind", chat.kind().wire()))
            .with("sender", JsonValue.Obj.EMPTY.with("id", sender))
            .with("text", text)
            .with("mentioned", true);
    return JsonWriter.compact(
        replyTo
            .map(it -> body.with("reply_to", JsonValue.Obj.EMPTY.with("message_id", it)))
            .orElse(body));
  }
}
