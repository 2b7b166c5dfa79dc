package dev.midcourse.channels.matrix;

import dev.midcourse.channels.markdown.MarkdownText;
import dev.midcourse.core.chat.outbound.ChatAddress;
import dev.midcourse.core.json.JsonValue;
import java.util.Optional;

/** Writes the contents of events. Our messages are notices, which other bots leave alone. */
final class MatrixRequestWriter {
  private MatrixRequestWriter() {}

  static JsonValue.Obj message(ChatAddress to, String markdown, Optional<String> replyTo) {
    JsonValue.Obj content = text(markdown);
    JsonValue.Obj relation = relation(to, replyTo);
    return relation.fields().isEmpty() ? content : content.with("m.relates_to", relation);
  }

  static JsonValue.Obj edit(String message, String markdown) {
    JsonValue.Obj text = text(markdown);
    return text.with("body", "* " + text.string("body").orElse(""))
        .with("m.new_content", text)
        .with(
            "m.relates_to",
            JsonValue.Obj.EMPTY.with("rel_type", "m.replace").with("event_id", message));
  }

  static JsonValue.Obj file(
      ChatAddress to, String mxc, String name, long bytes, Optional<String> caption) {
    JsonValue.Obj content =
        JsonValue.Obj.EMPTY
            .with("msgtype", "m.file")
            .with("body", caption.map(MarkdownText::toPlain).orElse(name))
            .with("filename", name)
            .with("url", mxc)
            .with("info", JsonValue.Obj.EMPTY.with("size", bytes))
            .with("m.mentions", JsonValue.Obj.EMPTY);
    JsonValue.Obj relation = relation(to, Optional.empty());
    return relation.fields().isEmpty() ? content : content.with("m.relates_to", relation);
  }

  static JsonValue.Obj reaction(String message, String emoji) {
    return JsonValue.Obj.EMPTY.with(
        "m.relates_to",
        JsonValue.Obj.EMPTY
            .with("rel_type", "m.annotation")
            .with("event_id", message)
            .with("key", emoji));
  }

  /** An empty {@code m.mentions} says that the text mentions nobody, whatever names are in it. */
  private static JsonValue.Obj text(String markdown) {
    return JsonValue.Obj.EMPTY
        .with("msgtype", "m.notice")
        .with("body", MarkdownText.toPlain(markdown))
        .with("format", "org.matrix.custom.html")
        .with("formatted_body", MarkdownText.toHtml(markdown))
        .with("m.mentions", JsonValue.Obj.EMPTY);
  }

  private static JsonValue.Obj relation(ChatAddress to, Optional<String> replyTo) {
    Optional<String> thread = to.thread().filter(MatrixIds::isEvent);
    Optional<String> parent = replyTo.filter(MatrixIds::isEvent);
    JsonValue.Obj relation =
        thread.isPresent()
            ? JsonValue.Obj.EMPTY
                .with("rel_type", "m.thread")
                .with("event_id", thread.get())
                .with("is_falling_back", parent.isEmpty())
            : JsonValue.Obj.EMPTY;
    return parent
        .or(() -> thread)
        .map(id -> relation.with("m.in_reply_to", JsonValue.Obj.EMPTY.with("event_id", id)))
        .orElse(relation);
  }
}
