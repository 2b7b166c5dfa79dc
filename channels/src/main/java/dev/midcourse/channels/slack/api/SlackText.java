package dev.midcourse.channels.slack.api;

import dev.midcourse.core.Utf8;
import dev.midcourse.core.chat.inbound.InboundMessage;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The text of a message as a person reads it. In Slack's form, {@code & < >} of the person are
 * escaped, and mentions and links are in angle brackets.
 *
 * @param whole with the bot mentioned by name
 * @param bare without mentions of the bot, trimmed
 */
public record SlackText(String whole, String bare, boolean mentioned) {
  private static final Pattern MARK = Pattern.compile("<([^<>]*)>");
  private static final int MAX_CHARS = InboundMessage.MAX_TEXT_BYTES / 3;

  /**
   * Reads a text.
   *
   * @param bot the account whose mention counts
   * @param nameOf the name of a user, or its id
   */
  public static SlackText read(String escaped, SlackAccount bot, Function<String, String> nameOf) {
    String clean = clean(escaped);
    StringBuilder whole = new StringBuilder();
    StringBuilder bare = new StringBuilder();
    boolean mentioned = false;
    int at = 0;
    Matcher marks = MARK.matcher(clean);
    while (marks.find()) {
      append(clean.substring(at, marks.start()), whole, bare);
      at = marks.end();
      String mark = marks.group(1);
      if (isMentionOf(bot, mark)) {
        mentioned = true;
        whole.append('@').append(bot.name());
      } else {
        append(shown(mark, nameOf), whole, bare);
      }
    }
    append(clean.substring(at), whole, bare);
    return new SlackText(cut(whole.toString()), cut(bare.toString()).strip(), mentioned);
  }

  private static void append(String escaped, StringBuilder whole, StringBuilder bare) {
    String plain = unescape(escaped);
    whole.append(plain);
    bare.append(plain);
  }

  private static boolean isMentionOf(SlackAccount bot, String mark) {
    return mark.startsWith("@") && before(mark.substring(1)).equals(bot.user());
  }

  private static String shown(String mark, Function<String, String> nameOf) {
    String label = after(mark);
    String target = before(mark);
    if (target.startsWith("@")) {
      return "@" + (label.isEmpty() ? nameOf.apply(target.substring(1)) : label);
    }
    if (target.startsWith("#")) {
      return "#" + (label.isEmpty() ? target.substring(1) : label);
    }
    if (target.startsWith("!")) {
      return label.isEmpty() ? "@" + target.substring(1) : label;
    }
    String address = target.startsWith("mailto:") ? target.substring("mailto:".length()) : target;
    return label.isEmpty() || address.endsWith(label) ? address : label + " (" + address + ")";
  }

  private static String before(String mark) {
    int bar = mark.indexOf('|');
    return bar < 0 ? mark : mark.substring(0, bar);
  }

  private static String after(String mark) {
    int bar = mark.indexOf('|');
    return bar < 0 ? "" : mark.substring(bar + 1);
  }

  private static String unescape(String text) {
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
  }

  /** Escapes a text that has no marks of its own. */
  public static String escape(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }

  /** Removes what cannot be stored, and bounds the length. */
  private static String clean(String text) {
    String bounded = cut(text).replace("\0", "");
    if (Utf8.isWhole(bounded)) {
      return bounded;
    }
    StringBuilder whole = new StringBuilder();
    bounded
        .codePoints()
        .map(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE ? '\uFFFD' : c)
        .forEach(whole::appendCodePoint);
    return whole.toString();
  }

  /** The beginning of the text, of at most so many characters, without half a character. */
  public static String cut(String text, int max) {
    if (text.length() <= max) {
      return text;
    }
    int end = Character.isHighSurrogate(text.charAt(max - 1)) ? max - 1 : max;
    return text.substring(0, end);
  }

  private static String cut(String text) {
    return cut(text, MAX_CHARS);
  }
}
