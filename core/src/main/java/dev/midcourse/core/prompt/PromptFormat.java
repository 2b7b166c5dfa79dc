package dev.midcourse.core.prompt;

import dev.midcourse.core.time.LocalTimeFormat;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Writes messages of people for an agent. A line with the time zone comes first, then all messages
 * in one {@code <messages>} element, one line each, times in that zone:
 *
 * <pre>{@code
 * <context timezone="America/New_York" />
 * <messages>
 * <message sender="Ann" time="Jan 1, 2024, 1:30 PM" reply_to="42">
 *   <quoted_message from="Bob">Shall I deploy?</quoted_message>Yes</message>
 * </messages>
 * }</pre>
 *
 * <p>No text of a person can end its element or add an attribute: {@code & < > "} are escaped.
 */
public final class PromptFormat {
  private PromptFormat() {}

  /** Returns the header and the messages in their order. */
  public static String formatMessages(List<PromptMessage> messages, ZoneId zone) {
    return contextHeader(zone)
        + messages.stream()
            .map(message -> formatMessage(message, zone))
            .collect(Collectors.joining("\n", "<messages>\n", "\n</messages>"));
  }

  /** Returns the line that tells an agent its time zone, with the line break at its end. */
  public static String contextHeader(ZoneId zone) {
    return "<context timezone=\"" + escapeXml(zone.getId()) + "\" />\n";
  }

  /** Returns the text with {@code & < > "} as entities. An apostrophe stays as it is. */
  public static String escapeXml(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }

  private static String formatMessage(PromptMessage message, ZoneId zone) {
    return "<message"
        + attribute("id", message.id())
        + attribute("from", message.from())
        + attribute("sender", Optional.of(message.sender()))
        + attribute("time", Optional.of(LocalTimeFormat.formatLocalTime(message.time(), zone)))
        + attribute("reply_to", message.replyTo().map(PromptMessage.Reply::id))
        + ">"
        + message
            .replyTo()
            .flatMap(PromptMessage.Reply::quote)
            .map(PromptFormat::formatQuote)
            .orElse("")
        + escapeXml(message.text())
        + "</message>";
  }

  private static String formatQuote(PromptMessage.Quote quote) {
    return "\n  <quoted_message from=\""
        + escapeXml(quote.sender())
        + "\">"
        + escapeXml(quote.text())
        + "</quoted_message>";
  }

  private static String attribute(String name, Optional<String> value) {
    return value.map(text -> " " + name + "=\"" + escapeXml(text) + "\"").orElse("");
  }
}
