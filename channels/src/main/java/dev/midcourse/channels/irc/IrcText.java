package dev.midcourse.channels.irc;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.midcourse.channels.markdown.MarkdownText;
import dev.midcourse.core.Utf8;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** The text of messages: without control characters, and in lines that fit the protocol. */
final class IrcText {
  /** Colours with their numbers, and the marks for bold, italics and so on. */
  private static final Pattern FORMATTING =
      Pattern.compile(
          "\\x03(?:\\d{1,2}(?:,\\d{1,2})?)?|\\x04(?:[0-9a-fA-F]{6}(?:,[0-9a-fA-F]{6})?)?"
              + "|[\\x02\\x0f\\x11\\x16\\x1d\\x1e\\x1f]");

  private static final Pattern CONTROL = Pattern.compile("[\\p{Cc}&&[^\\n]]");

  private IrcText() {}

  /** The text of a person without formatting and other control characters. */
  static String plain(String text) {
    return CONTROL.matcher(FORMATTING.matcher(text).replaceAll("")).replaceAll("");
  }

  /** The lines of a message of ours, each of at most so many bytes; empty lines are left out. */
  static List<String> lines(String markdown, int maxBytes) {
    String text = MarkdownText.toPlain(markdown).replace("\t", "  ");
    List<String> lines = new ArrayList<>();
    for (String line : text.split("\\R", -1)) {
      String rest = CONTROL.matcher(line).replaceAll("").stripTrailing();
      while (Utf8.length(rest) > maxBytes) {
        int end = cut(rest, maxBytes);
        lines.add(rest.substring(0, end).stripTrailing());
        rest = rest.substring(end).stripLeading();
      }
      if (!rest.isBlank()) {
        lines.add(rest);
      }
    }
    return lines;
  }

  /**
   * The end of the longest beginning within the limit: after a space in its second half, if any.
   */
  private static int cut(String text, int maxBytes) {
    int bytes = 0;
    int end = 0;
    while (end < text.length()) {
      int character = text.codePointAt(end);
      bytes += Character.toString(character).getBytes(UTF_8).length;
      if (bytes > maxBytes) {
        break;
      }
      end += Character.charCount(character);
    }
    int space = text.lastIndexOf(' ', end - 1);
    return space > end / 2 ? space + 1 : end;
  }
}
