package dev.midcourse.channels.telegram.receive;

import dev.midcourse.channels.telegram.api.TelegramBot;
import dev.midcourse.core.Utf8;
import dev.midcourse.core.chat.inbound.InboundMessage;
import dev.midcourse.core.json.JsonValue;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The text of a message.
 *
 * @param whole as the person wrote it
 * @param bare without mentions of the bot, trimmed
 * @param mentioned whether it mentions the bot
 */
public record TelegramText(String whole, String bare, boolean mentioned) {
  private static final int MAX_CHARS = InboundMessage.MAX_TEXT_BYTES / 3;
  private static final int MAX_NAME = 200;

  /** A mention of the bot, as indexes of the text. */
  private record Range(int from, int to) {}

  /** Reads the text or the caption. Telegram counts in UTF-16 units, as Java does. */
  public static TelegramText read(JsonValue.Obj message, TelegramBot bot) {
    boolean hasText = message.string("text").isPresent();
    String text = message.string(hasText ? "text" : "caption").orElse("");
    List<JsonValue.Obj> entities = message.objects(hasText ? "entities" : "caption_entities");
    List<Range> mentions =
        entities.stream()
            .flatMap(entity -> mention(text, entity, bot).stream())
            .sorted(Comparator.comparingInt(Range::from).reversed())
            .toList();
    StringBuilder bare = new StringBuilder(text);
    int untouched = text.length();
    for (Range mention : mentions) {
      if (mention.to() <= untouched) {
        bare.delete(mention.from(), mention.to());
        untouched = mention.from();
      }
    }
    return new TelegramText(clean(text), clean(bare.toString()).strip(), !mentions.isEmpty());
  }

  /** The part of the text that names the bot; of {@code /stop@my_bot} the end. */
  private static Optional<Range> mention(String text, JsonValue.Obj entity, TelegramBot bot) {
    int length = text.length();
    int from = entity.number("offset").filter(at -> at >= 0 && at < length).orElse(-1L).intValue();
    int size = entity.number("length").filter(n -> n > 0 && n <= length).orElse(-1L).intValue();
    if (from < 0 || size < 0 || from + size > length) {
      return Optional.empty();
    }
    Range range = new Range(from, from + size);
    String part = text.substring(range.from(), range.to());
    String name = "@" + bot.username();
    return switch (entity.string("type").orElse("")) {
      case "mention" -> part.equalsIgnoreCase(name) ? Optional.of(range) : Optional.empty();
      case "text_mention" ->
          entity.object("user").text("id").filter(bot.id()::equals).map(_ -> range);
      case "bot_command" -> {
        int at = part.indexOf('@');
        yield at > 0 && part.substring(at).equalsIgnoreCase(name)
            ? Optional.of(new Range(from + at, range.to()))
            : Optional.empty();
      }
      default -> Optional.empty();
    };
  }

  /** The text without NUL and half characters, of bounded length. */
  static String clean(String text) {
    String bounded = text.length() > MAX_CHARS ? text.substring(0, MAX_CHARS) : text;
    String plain = bounded.replace("\0", "");
    if (Utf8.isWhole(plain)) {
      return plain;
    }
    return plain
        .codePoints()
        .map(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE ? '\uFFFD' : c)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }

  /** A name for display, on one line and of bounded length. */
  public static Optional<String> name(String text) {
    String bounded = text.length() > MAX_NAME ? text.substring(0, MAX_NAME) : text;
    StringBuilder name = new StringBuilder();
    clean(bounded)
        .codePoints()
        .map(c -> Character.isISOControl(c) ? ' ' : c)
        .forEach(name::appendCodePoint);
    return Optional.of(name.toString().strip()).filter(shown -> !shown.isEmpty());
  }
}
