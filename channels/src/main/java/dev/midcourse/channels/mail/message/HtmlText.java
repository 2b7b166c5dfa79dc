package dev.midcourse.channels.mail.message;

import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Reads the text of an HTML mail that has no plain form. Leaves out scripts, styles and quotes.
 * Reads each character once, whatever the HTML is.
 */
final class HtmlText {
  private static final Set<String> HIDDEN =
      Set.of("script", "style", "head", "blockquote", "title");
  private static final Set<String> BREAKS =
      Set.of("br", "p", "div", "li", "tr", "h1", "h2", "h3", "h4", "pre", "table", "ul", "ol");
  private static final Map<String, String> ENTITIES =
      Map.of("amp", "&", "lt", "<", "gt", ">", "quot", "\"", "apos", "'", "nbsp", " ");
  private static final int MAX_ENTITY = 10;

  private final String html;
  private final StringBuilder text = new StringBuilder();
  private int at;
  private int hidden;

  private HtmlText(String html) {
    this.html = html;
  }

  static String of(String html) {
    HtmlText reader = new HtmlText(html);
    reader.read();
    return reader.text.toString().strip().replaceAll("\n{3,}", "\n\n");
  }

  private void read() {
    while (at < html.length()) {
      char c = html.charAt(at);
      if (c == '<') {
        readTag();
      } else if (c == '&') {
        readEntity();
      } else {
        append(Character.isWhitespace(c) ? " " : String.valueOf(c));
        at++;
      }
    }
  }

  private void append(String piece) {
    boolean isSpace = piece.equals(" ");
    boolean atStart = text.isEmpty() || Character.isWhitespace(text.charAt(text.length() - 1));
    if (hidden == 0 && !(isSpace && atStart)) {
      text.append(piece);
    }
  }

  private void readTag() {
    boolean isComment = html.startsWith("<!--", at);
    int end = isComment ? html.indexOf("-->", at) : html.indexOf('>', at);
    if (end < 0) {
      at = html.length();
      return;
    }
    String tag = isComment ? "" : html.substring(at + 1, end);
    at = end + (isComment ? 3 : 1);
    boolean closes = tag.startsWith("/");
    String name = name(closes ? tag.substring(1) : tag);
    if (HIDDEN.contains(name)) {
      hidden = Math.max(0, hidden + (closes ? -1 : 1));
    }
    if (BREAKS.contains(name) && hidden == 0 && !text.isEmpty()) {
      text.append('\n');
    }
  }

  private static String name(String tag) {
    int end = 0;
    while (end < tag.length() && Character.isLetterOrDigit(tag.charAt(end))) {
      end++;
    }
    return tag.substring(0, end).toLowerCase(Locale.ROOT);
  }

  private void readEntity() {
    int end = html.substring(at, Math.min(html.length(), at + MAX_ENTITY)).indexOf(';') + at;
    if (end < at) {
      append("&");
      at++;
      return;
    }
    append(decoded(html.substring(at + 1, end)));
    at = end + 1;
  }

  private static String decoded(String entity) {
    try {
      if (entity.startsWith("#x") || entity.startsWith("#X")) {
        return Character.toString(Integer.parseInt(entity.substring(2), 16));
      }
      if (entity.startsWith("#")) {
        return Character.toString(Integer.parseInt(entity.substring(1)));
      }
    } catch (IllegalArgumentException notACharacter) {
      return "";
    }
    String known = ENTITIES.get(entity.toLowerCase(Locale.ROOT));
    return known == null ? "&" + entity + ";" : known;
  }
}
