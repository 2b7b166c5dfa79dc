package dev.midcourse.core.prompt;

import dev.midcourse.core.chat.inbound.Attachment;
import dev.midcourse.core.chat.inbound.InboundMessage;
import dev.midcourse.core.chat.inbound.QuotedMessage;
import dev.midcourse.core.chat.route.RoutedMessage;
import dev.midcourse.core.prompt.PromptMessage.Quote;
import dev.midcourse.core.prompt.PromptMessage.Reply;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;

/** Writes stored messages of a chat as the prompt of a run or the text of a steer. */
public final class ChatPrompts {
  /** How an agent answers in a chat; the first run of a session begins with it. */
  public static final String INSTRUCTIONS =
      """
      You answer people in a chat. The text of your last message in a turn is sent to the chat as \
      it is, in Markdown. Text between <internal> and </internal> is not sent. Times are in the \
      time zone that is named below; name times in this zone too.
      """;

  private ChatPrompts() {}

  /** The messages in their order, as an agent reads them. */
  public static String messages(List<RoutedMessage> messages, ZoneId zone) {
    return PromptFormat.formatMessages(
        messages.stream().map(ChatPrompts::promptMessage).toList(), zone);
  }

  private static PromptMessage promptMessage(RoutedMessage stored) {
    InboundMessage message = stored.message();
    return new PromptMessage(
        Optional.of(Long.toString(stored.number())),
        Optional.empty(),
        message.sender().name(),
        message.sentAt(),
        text(message),
        message.replyTo().map(ChatPrompts::reply));
  }

  private static Reply reply(QuotedMessage quoted) {
    return new Reply(
        quoted.message(),
        quoted.sender().flatMap(sender -> quoted.text().map(text -> new Quote(sender, text))));
  }

  /** The text, and one line for each file that came with it. */
  private static String text(InboundMessage message) {
    StringBuilder text = new StringBuilder(message.text());
    for (Attachment file : message.attachments()) {
      text.append(text.isEmpty() ? "" : "\n")
          .append("[file: ")
          .append(file.name())
          .append(file.savedAs().map(path -> ", saved to " + path).orElse(", not fetched"))
          .append(']');
    }
    return text.toString();
  }
}
