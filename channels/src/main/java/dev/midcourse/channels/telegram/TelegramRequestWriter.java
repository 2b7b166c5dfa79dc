package dev.midcourse.channels.telegram;

import dev.midcourse.channels.ChannelRequest;
import dev.midcourse.channels.markdown.MarkdownText;
import dev.midcourse.channels.telegram.api.TelegramRequest;
import dev.midcourse.core.Problem;
import dev.midcourse.core.Utf8;
import dev.midcourse.core.chat.outbound.ChatAddress;
import dev.midcourse.core.chat.outbound.OutboundContent.Button;
import dev.midcourse.core.chat.outbound.OutboundContent.MessageStatus;
import dev.midcourse.core.chat.outbound.TextSplitter;
import dev.midcourse.core.json.JsonValue;
import dev.midcourse.core.json.JsonValue.Arr;
import dev.midcourse.core.json.JsonValue.Obj;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Writes a request of the outbox as a call of the Bot API. */
final class TelegramRequestWriter {
  /** The room for a text; Telegram's limit counts what is left without the markup. */
  static final int MAX_TEXT = 4_096;

  private static final int MAX_CAPTION = 1_024;
  private static final int MAX_BUTTON_BYTES = 64;
  private static final int MAX_BUTTONS_IN_ROW = 3;
  private static final int MAX_ROW_CHARS = 36;
  private static final Pattern ID = Pattern.compile("-?[0-9]{1,19}");

  private TelegramRequestWriter() {}

  /**
   * @throws dev.midcourse.core.RefusedException if the request names something that is not of
   *     Telegram
   */
  static TelegramRequest write(ChannelRequest request) {
    return switch (request) {
      case ChannelRequest.SendText(ChatAddress to, String markdown, Optional<String> replyTo) ->
          text("sendMessage", reply(place(to), replyTo), markdown);
      case ChannelRequest.EditText(ChatAddress to, String message, String markdown) ->
          text("editMessageText", chat(to).with("message_id", id("message_id", message)), markdown);
      case ChannelRequest.CloseCard(ChatAddress to, String message, String markdown) ->
          text("editMessageText", chat(to).with("message_id", id("message_id", message)), markdown);
      case ChannelRequest.SendCard(ChatAddress to, String title, String markdown, var buttons) ->
          card(to, title, markdown, buttons);
      case ChannelRequest.SetReaction(ChatAddress to, String message, MessageStatus status) ->
          new TelegramRequest(
              "setMessageReaction",
              chat(to)
                  .with("message_id", id("message_id", message))
                  .with("reaction", reaction(status)));
      case ChannelRequest.SendFile file -> file(file);
    };
  }

  /** The sentence that takes the place of a reaction; empty if the answer itself will show it. */
  static Optional<TelegramRequest> sentence(ChannelRequest.SetReaction reaction) {
    Optional<String> words =
        switch (reaction.status()) {
          case RUNNING, STEERED, DONE -> Optional.empty();
          case QUEUED -> Optional.of("Queued.");
          case UNCONFIRMED -> Optional.of("It is not confirmed that the agent has this message.");
          case NOT_DELIVERED -> Optional.of("Not delivered.");
          case STOPPED -> Optional.of("Stopped.");
          case ERROR -> Optional.of("This ended with an error.");
        };
    return words.map(text ->
        text("sendMessage", reply(place(reaction.to()), Optional.of(reaction.message())), text));
  }

  static Obj place(ChatAddress to) {
    Obj chat = chat(to);
    return to.thread().isPresent()
        ? chat.with("message_thread_id", id("thread", to.thread().get()))
        : chat;
  }

  private static Obj chat(ChatAddress to) {
    return Obj.EMPTY.with("chat_id", id("chat", to.chat()));
  }

  private static JsonValue id(String field, String text) {
    if (!ID.matcher(text).matches()) {
      throw Problem.invalid(field, "a whole number", field + " is not one of Telegram").refused();
    }
    return new JsonValue.Num(text);
  }

  /** A message that is gone must not hold up the answer to it. */
  private static Obj reply(Obj parameters, Optional<String> replyTo) {
    return replyTo
        .filter(message -> ID.matcher(message).matches())
        .map(message ->
            parameters.with(
                "reply_parameters",
                Obj.EMPTY
                    .with("message_id", new JsonValue.Num(message))
                    .with("allow_sending_without_reply", true)))
        .orElse(parameters);
  }

  private static TelegramRequest text(String method, Obj parameters, String markdown) {
    return text(method, parameters, MarkdownText.toTelegramHtml(markdown), plain(markdown));
  }

  private static TelegramRequest text(String method, Obj parameters, String html, String plain) {
    return new TelegramRequest(
        method,
        parameters
            .with("text", html)
            .with("parse_mode", "HTML")
            .with("link_preview_options", Obj.EMPTY.with("is_disabled", true)),
        Optional.of(plain),
        Optional.empty());
  }

  /** The text that people see without markup; the Markdown itself if that is too long. */
  private static String plain(String markdown) {
    String plain = MarkdownText.toPlain(markdown);
    return plain.length() <= MAX_TEXT && !plain.isBlank()
        ? plain
        : TextSplitter.truncate(markdown, MAX_TEXT);
  }

  private static TelegramRequest card(
      ChatAddress to, String title, String markdown, List<Button> buttons) {
    TelegramRequest text =
        text(
            "sendMessage",
            place(to),
            "<b>" + escape(title) + "</b>\n" + MarkdownText.toTelegramHtml(markdown),
            TextSplitter.truncate(title + "\n" + plain(markdown), MAX_TEXT));
    return new TelegramRequest(
        text.method(),
        text.parameters()
            .with("reply_markup", Obj.EMPTY.with("inline_keyboard", keyboard(buttons))),
        text.plain(),
        Optional.empty());
  }

  private static String escape(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }

  /** Short buttons stand side by side. */
  private static Arr keyboard(List<Button> buttons) {
    List<JsonValue> rows = new ArrayList<>();
    List<JsonValue> row = new ArrayList<>();
    int chars = 0;
    for (Button button : buttons) {
      boolean isFull =
          row.size() == MAX_BUTTONS_IN_ROW || chars + button.label().length() > MAX_ROW_CHARS;
      if (isFull && !row.isEmpty()) {
        rows.add(new Arr(row));
        row.clear();
        chars = 0;
      }
      row.add(button(button));
      chars += button.label().length();
    }
    if (!row.isEmpty()) {
      rows.add(new Arr(row));
    }
    return new Arr(rows);
  }

  private static Obj button(Button button) {
    if (button.id().isEmpty() || Utf8.longerThan(button.id(), MAX_BUTTON_BYTES)) {
      throw Problem.invalid("button", "1 to 64 bytes", "the id of a button must have 1 to 64 bytes")
          .refused();
    }
    return Obj.EMPTY.with("text", button.label()).with("callback_data", button.id());
  }

  /** Telegram takes only the emoji of its own list, which has no check mark and no warning sign. */
  private static Arr reaction(MessageStatus status) {
    String emoji =
        switch (status) {
          case RUNNING -> "👀";
          case STEERED -> "✍";
          case QUEUED -> "👌";
          case UNCONFIRMED -> "🤔";
          case NOT_DELIVERED -> "🤷";
          case STOPPED -> "🙊";
          case ERROR -> "😱";
          case DONE -> "👍";
        };
    return new Arr(List.of(Obj.EMPTY.with("type", "emoji").with("emoji", emoji)));
  }

  private static TelegramRequest file(ChannelRequest.SendFile file) {
    Optional<String> caption =
        file.caption()
            .filter(text -> !text.isBlank())
            .map(text -> TextSplitter.truncate(text, MAX_CAPTION));
    Obj parameters = place(file.to());
    if (caption.isPresent()) {
      parameters =
          parameters
              .with("caption", MarkdownText.toTelegramHtml(caption.get()))
              .with("parse_mode", "HTML");
    }
    return new TelegramRequest("sendDocument", parameters, caption, Optional.of(file));
  }
}
