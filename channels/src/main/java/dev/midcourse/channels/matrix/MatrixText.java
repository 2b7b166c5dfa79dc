package dev.midcourse.channels.matrix;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.midcourse.core.chat.outbound.TextSplitter;
import java.util.List;
import java.util.Optional;

/** The text of events: without what is not text, without the quote of a reply and the mention. */
final class MatrixText {
  /** In UTF-16 units: at most 240 KB in UTF-8. An event has at most 64 KiB anyway. */
  private static final int MAX_TEXT = 80_000;

  private MatrixText() {}

  /** Leaves out what is not valid Unicode, and NUL. */
  static String clean(String text) {
    return new String(text.getBytes(UTF_8), UTF_8).replace("\0", "");
  }

  static String bounded(String text) {
    return TextSplitter.truncate(clean(text), MAX_TEXT);
  }

  /** Leaves out the quote with which older clients begin a reply: lines with "> ". */
  static String withoutReplyQuote(String text) {
    List<String> lines = text.lines().toList();
    int own = 0;
    while (own < lines.size() && lines.get(own).startsWith("> ")) {
      own++;
    }
    if (own == 0) {
      return text;
    }
    return String.join("\n", lines.subList(own, lines.size())).strip();
  }

  /** Leaves out one name of the bot at the beginning or the end, with a colon or comma after it. */
  static String withoutMention(String text, List<String> names) {
    String bare = text.strip();
    for (String name : names) {
      Optional<String> rest = withoutName(bare, name);
      if (rest.isPresent()) {
        return rest.get();
      }
    }
    return bare;
  }

  private static Optional<String> withoutName(String text, String name) {
    if (name.isBlank()) {
      return Optional.empty();
    }
    String plain = name.startsWith("@") ? name.substring(1) : name;
    for (String form : List.of(name, "@" + plain)) {
      if (text.regionMatches(true, 0, form, 0, form.length()) && isBorder(text, form.length())) {
        String rest = text.substring(form.length()).strip();
        return Optional.of(
            rest.startsWith(":") || rest.startsWith(",") ? rest.substring(1).strip() : rest);
      }
      int from = text.length() - form.length();
      if (from > 0
          && text.regionMatches(true, from, form, 0, form.length())
          && Character.isWhitespace(text.charAt(from - 1))) {
        return Optional.of(text.substring(0, from).strip());
      }
    }
    return Optional.empty();
  }

  private static boolean isBorder(String text, int at) {
    return at >= text.length() || !Character.isLetterOrDigit(text.charAt(at));
  }
}
