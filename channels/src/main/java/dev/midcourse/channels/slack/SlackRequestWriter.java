package dev.midcourse.channels.slack;

import dev.midcourse.channels.markdown.MarkdownText;
import dev.midcourse.channels.slack.api.SlackText;
import dev.midcourse.core.chat.outbound.ChatAddress;
import dev.midcourse.core.chat.outbound.OutboundContent.Button;
import dev.midcourse.core.chat.outbound.OutboundContent.MessageStatus;
import dev.midcourse.core.chat.outbound.OutboundId;
import dev.midcourse.core.chat.outbound.TextSplitter;
import dev.midcourse.core.json.JsonValue;
import dev.midcourse.core.json.JsonWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Writes requests as arguments of methods of the web API. */
final class SlackRequestWriter {
  static final int MAX_BUTTONS = 25;

  /** Slack cuts a longer new text without an error. */
  private static final int MAX_NEW_TEXT = 40_000;

  /** Slack refuses a longer text of an edit. */
  private static final int MAX_EDIT_TEXT = 4_000;

  private static final int MAX_SECTION = 3_000;
  private static final int MAX_SECTIONS = 45;
  private static final int SECTION_MARKDOWN = 2_000;
  private static final int MIN_SECTION_MARKDOWN = 100;
  private static final int MAX_TITLE = 150;
  private static final int MAX_LABEL = 75;
  private static final String EVENT_TYPE = "midcourse_message";

  private SlackRequestWriter() {}

  static Map<String, String> text(OutboundId id, ChatAddress to, String markdown) {
    Map<String, String> arguments = message(id, to);
    arguments.put("text", SlackText.cut(MarkdownText.toSlack(markdown), MAX_NEW_TEXT));
    return arguments;
  }

  static Map<String, String> card(
      OutboundId id, ChatAddress to, String title, String markdown, List<Button> buttons) {
    Map<String, String> arguments = message(id, to);
    List<JsonValue> blocks = new ArrayList<>();
    if (!title.isBlank()) {
      blocks.add(
          JsonValue.object()
              .with("type", "header")
              .with("text", plainText(SlackText.cut(title, MAX_TITLE))));
    }
    blocks.addAll(sections(markdown));
    if (!buttons.isEmpty()) {
      blocks.add(actions(buttons));
    }
    arguments.put(
        "text",
        SlackText.cut(
            SlackText.escape(title) + "\n" + MarkdownText.toSlack(markdown), MAX_EDIT_TEXT));
    putBlocks(arguments, blocks);
    return arguments;
  }

  private static void putBlocks(Map<String, String> arguments, List<JsonValue> blocks) {
    arguments.put("blocks", JsonWriter.compact(new JsonValue.Arr(blocks)));
  }

  private static JsonValue.Obj actions(List<Button> buttons) {
    List<JsonValue> elements = new ArrayList<>();
    for (Button button : buttons) {
      elements.add(
          JsonValue.object()
              .with("type", "button")
              .with("action_id", "choose-" + elements.size())
              .with("text", plainText(SlackText.cut(button.label(), MAX_LABEL)))
              .with("value", button.id()));
    }
    return JsonValue.object().with("type", "actions").with("elements", new JsonValue.Arr(elements));
  }

  private static JsonValue.Obj plainText(String text) {
    return JsonValue.object().with("type", "plain_text").with("text", text).with("emoji", false);
  }

  private static List<JsonValue> sections(String markdown) {
    List<JsonValue> blocks = new ArrayList<>();
    for (String text : sectionTexts(markdown, SECTION_MARKDOWN)) {
      if (blocks.size() < MAX_SECTIONS && !text.isBlank()) {
        blocks.add(
            JsonValue.object()
                .with("type", "section")
                .with("text", JsonValue.object().with("type", "mrkdwn").with("text", text)));
      }
    }
    return blocks;
  }

  /** Text in Slack's form, in parts that fit into a section each; escaping makes text longer. */
  private static List<String> sectionTexts(String markdown, int max) {
    List<String> texts = new ArrayList<>();
    for (String part : TextSplitter.split(markdown, max)) {
      String text = MarkdownText.toSlack(part);
      if (text.length() <= MAX_SECTION) {
        texts.add(text);
      } else if (max / 2 >= MIN_SECTION_MARKDOWN) {
        texts.addAll(sectionTexts(part, max / 2));
      } else {
        texts.add(SlackText.cut(text, MAX_SECTION));
      }
    }
    return texts;
  }

  /**
   * The new text of a message. Without blocks, an edit removes the blocks that the message has, and
   * so its buttons.
   */
  static Map<String, String> edit(ChatAddress to, String message, String markdown) {
    Map<String, String> arguments = new LinkedHashMap<>();
    arguments.put("channel", to.chat());
    arguments.put("ts", message);
    String text = MarkdownText.toSlack(markdown);
    if (text.length() > MAX_EDIT_TEXT) {
      arguments.put("text", SlackText.cut(text, MAX_EDIT_TEXT));
      putBlocks(arguments, sections(markdown));
    } else {
      arguments.put("text", text);
    }
    return arguments;
  }

  /** The text of a card that was decided. Its blocks are replaced by ones without buttons. */
  static Map<String, String> closedCard(ChatAddress to, String message, String markdown) {
    Map<String, String> arguments = edit(to, message, markdown);
    putBlocks(arguments, sections(markdown));
    return arguments;
  }

  private static Map<String, String> message(OutboundId id, ChatAddress to) {
    Map<String, String> arguments = new LinkedHashMap<>();
    arguments.put("channel", to.chat());
    to.thread().ifPresent(thread -> arguments.put("thread_ts", thread));
    arguments.put("unfurl_links", "false");
    arguments.put("unfurl_media", "false");
    arguments.put(
        "metadata",
        JsonValue.object()
            .with("event_type", EVENT_TYPE)
            .with("event_payload", JsonValue.object().with("id", id.value()))
            .toString());
    return arguments;
  }

  /** The id that {@link #message} gave to a message. */
  static Optional<String> idOf(JsonValue.Obj message) {
    JsonValue.Obj metadata = message.object("metadata");
    return metadata.string("event_type").equals(Optional.of(EVENT_TYPE))
        ? metadata.object("event_payload").string("id")
        : Optional.empty();
  }

  /** The name of the emoji of a status. */
  static String emoji(MessageStatus status) {
    return switch (status) {
      case RUNNING -> "eyes";
      case STEERED -> "writing_hand";
      case QUEUED -> "ok_hand";
      case UNCONFIRMED -> "thinking_face";
      case NOT_DELIVERED -> "shrug";
      case STOPPED -> "black_square_for_stop";
      case ERROR -> "warning";
      case DONE -> "white_check_mark";
    };
  }
}
