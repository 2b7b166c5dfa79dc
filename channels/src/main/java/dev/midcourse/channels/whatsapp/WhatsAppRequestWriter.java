package dev.midcourse.channels.whatsapp;

import dev.midcourse.channels.ChannelRequest;
import dev.midcourse.channels.StatusEmoji;
import dev.midcourse.channels.markdown.MarkdownText;
import dev.midcourse.core.chat.outbound.OutboundContent.Button;
import dev.midcourse.core.chat.outbound.OutboundContent.MessageStatus;
import dev.midcourse.core.json.JsonValue;
import java.util.List;
import java.util.Optional;

/** Writes the JSON of a request. */
final class WhatsAppRequestWriter {
  static final int MAX_BUTTONS = 3;
  static final int MAX_ROWS = 10;
  private static final int MAX_BUTTON_LABEL = 20;
  private static final int MAX_ROW_TITLE = 24;
  private static final int MAX_ROW_DESCRIPTION = 72;
  private static final int MAX_TEXT = 4_096;
  private static final int MAX_CARD = 1_024;
  private static final int MAX_CAPTION = 1_024;

  private WhatsAppRequestWriter() {}

  /** The start of each message to this chat. A chat that is no number is a stable id of a user. */
  private static JsonValue.Obj to(String chat, String type) {
    JsonValue.Obj start =
        JsonValue.object()
            .with("messaging_product", "whatsapp")
            .with("recipient_type", "individual");
    boolean isNumber = chat.matches("\\d{5,20}");
    return start.with(isNumber ? "to" : "recipient", chat).with("type", type);
  }

  static JsonValue.Obj text(String chat, String markdown, Optional<String> replyTo) {
    JsonValue.Obj text =
        JsonValue.object()
            .with("preview_url", false)
            .with("body", cut(MarkdownText.toPlain(markdown), MAX_TEXT));
    JsonValue.Obj message = to(chat, "text").with("text", text);
    return replyTo
        .map(id -> message.with("context", JsonValue.object().with("message_id", id)))
        .orElse(message);
  }

  static JsonValue.Obj reaction(String chat, String message, MessageStatus status) {
    return to(chat, "reaction")
        .with(
            "reaction",
            JsonValue.object().with("message_id", message).with("emoji", StatusEmoji.of(status)));
  }

  /** Up to three answers are buttons, up to ten are rows of a list. */
  static JsonValue.Obj card(ChannelRequest.SendCard card) {
    String text =
        cut(MarkdownText.toPlain("**" + card.title() + "**\n\n" + card.markdown()), MAX_CARD);
    boolean isList = card.buttons().size() > MAX_BUTTONS;
    JsonValue.Obj interactive =
        JsonValue.object()
            .with("type", isList ? "list" : "button")
            .with("body", JsonValue.object().with("text", text))
            .with("action", isList ? list(card.buttons()) : buttons(card.buttons()));
    return to(card.to().chat(), "interactive").with("interactive", interactive);
  }

  private static JsonValue.Obj buttons(List<Button> buttons) {
    List<JsonValue> written =
        buttons.stream()
            .<JsonValue>map(button ->
                JsonValue.object()
                    .with("type", "reply")
                    .with(
                        "reply",
                        JsonValue.object()
                            .with("id", button.id())
                            .with("title", cut(button.label(), MAX_BUTTON_LABEL))))
            .toList();
    return JsonValue.object().with("buttons", new JsonValue.Arr(written));
  }

  private static JsonValue.Obj list(List<Button> buttons) {
    List<JsonValue> rows =
        buttons.stream()
            .<JsonValue>map(button -> {
              JsonValue.Obj row =
                  JsonValue.object()
                      .with("id", button.id())
                      .with("title", cut(button.label(), MAX_ROW_TITLE));
              return button.label().length() > MAX_ROW_TITLE
                  ? row.with("description", cut(button.label(), MAX_ROW_DESCRIPTION))
                  : row;
            })
            .toList();
    JsonValue.Obj section =
        JsonValue.object().with("title", "Answers").with("rows", new JsonValue.Arr(rows));
    return JsonValue.object()
        .with("button", "Answer")
        .with("sections", new JsonValue.Arr(List.of(section)));
  }

  static JsonValue.Obj document(String chat, String media, String name, Optional<String> caption) {
    JsonValue.Obj document =
        JsonValue.object()
            .with("id", media)
            .with("filename", name)
            .with("caption", caption.map(text -> cut(MarkdownText.toPlain(text), MAX_CAPTION)));
    return to(chat, "document").with("document", document);
  }

  static JsonValue.Obj typing(String message) {
    return JsonValue.object()
        .with("messaging_product", "whatsapp")
        .with("status", "read")
        .with("message_id", message)
        .with("typing_indicator", JsonValue.object().with("type", "text"));
  }

  /** The beginning of a text, with an ellipsis if it is cut. */
  private static String cut(String text, int max) {
    if (text.length() <= max) {
      return text;
    }
    int end = Character.isHighSurrogate(text.charAt(max - 2)) ? max - 2 : max - 1;
    return text.substring(0, end) + "…";
  }
}
