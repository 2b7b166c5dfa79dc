package dev.midcourse.channels.markdown;

import java.util.Locale;

/** How one platform marks text. Every method returns text that is ready for the platform. */
interface Marks {
  /** The text with what the platform would take for markup made harmless. */
  String escape(String text);

  String strong(String inner);

  String emphasis(String inner);

  String strikethrough(String inner);

  /** Code within a line. The code is not escaped. */
  String code(String code);

  /**
   * Lines of code.
   *
   * @param language may be empty
   * @param code not escaped, without a line end at its end
   */
  String codeBlock(String language, String code);

  String heading(String inner);

  String quote(String inner);

  /**
   * A link.
   *
   * @param inner the escaped text of the link
   * @param url not escaped, of a safe scheme
   */
  String link(String inner, String url);

  /** Whether the address may be a link. */
  static boolean isSafe(String url) {
    String folded = url.strip().toLowerCase(Locale.ROOT);
    return folded.startsWith("https://")
        || folded.startsWith("http://")
        || folded.startsWith("mailto:");
  }

  /** The three characters that HTML and Slack reserve. */
  static String escapeAngles(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }

  /** Puts a prefix before each line. */
  static String prefixLines(String prefix, String text) {
    return prefix + text.replace("\n", "\n" + prefix);
  }
}
