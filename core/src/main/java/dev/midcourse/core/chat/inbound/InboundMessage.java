package dev.midcourse.core.chat.inbound;

import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.Utf8;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A message, an edit or a deletion, as a channel delivers it.
 *
 * @param updateKey distinguishes this delivery from others of the channel; a platform that delivers
 *     again uses the same key
 * @param text the whole text as the person wrote it
 * @param bareText the text without a mention of the bot, trimmed; commands and stop words are
 *     looked for here
 * @param mentioned whether the message mentions the bot, by the structure of the platform; true in
 *     a direct message
 * @param sentAt when the person sent it
 */
public record InboundMessage(
    MessageRef ref,
    Optional<String> thread,
    String updateKey,
    InboundKind kind,
    Sender sender,
    ChatFacts chat,
    String text,
    String bareText,
    boolean mentioned,
    Optional<QuotedMessage> replyTo,
    List<Attachment> attachments,
    Instant sentAt) {

  public static final int MAX_TEXT_BYTES = 256 * 1024;
  private static final int MAX_KEY = 500;

  public InboundMessage {
    attachments = List.copyOf(attachments);
    if (updateKey.isBlank() || updateKey.length() > MAX_KEY) {
      throw Problem.invalid("update_key", "1 to 500 characters", "update_key has no valid length")
          .refused();
    }
    if (Utf8.longerThan(text, MAX_TEXT_BYTES)) {
      throw Problem.of(Code.TOO_LARGE, "text", "at most 256 KiB", "the message is over 256 KiB")
          .refused();
    }
    if (text.indexOf('\0') >= 0 || !Utf8.isWhole(text)) {
      throw Problem.invalid("text", "valid Unicode without NUL", "the message is not plain text")
          .refused();
    }
  }

  InboundMessage withAttachments(List<Attachment> files) {
    return new InboundMessage(
        ref, thread, updateKey, kind, sender, chat, text, bareText, mentioned, replyTo, files,
        sentAt);
  }
}
