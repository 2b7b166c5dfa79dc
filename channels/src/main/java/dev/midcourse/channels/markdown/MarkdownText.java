package dev.midcourse.channels.markdown;

import java.util.List;
import org.commonmark.Extension;
import org.commonmark.ext.gfm.strikethrough.StrikethroughExtension;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.Node;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;

/**
 * Converts Markdown of Midcourse and of agents into the forms of platforms. HTML in the Markdown is
 * shown as text. Links keep their address visible or clickable; only {@code http}, {@code https}
 * and {@code mailto} are links.
 */
public final class MarkdownText {
  private static final List<Extension> EXTENSIONS =
      List.of(StrikethroughExtension.create(), TablesExtension.create());
  private static final Parser PARSER = Parser.builder().extensions(EXTENSIONS).build();
  private static final HtmlRenderer HTML =
      HtmlRenderer.builder()
          .extensions(EXTENSIONS)
          .escapeHtml(true)
          .sanitizeUrls(true)
          .softbreak("<br>")
          .build();

  private MarkdownText() {}

  /** HTML with the tags that Telegram knows. */
  public static String toTelegramHtml(String markdown) {
    return TextRenderer.render(parse(markdown), new TelegramMarks());
  }

  /** Whole HTML, for Matrix and mail. */
  public static String toHtml(String markdown) {
    return HTML.render(parse(markdown)).strip();
  }

  /** Slack's mrkdwn. */
  public static String toSlack(String markdown) {
    return TextRenderer.render(parse(markdown), new SlackMarks());
  }

  /** Text for people without any markup; code keeps its line breaks. */
  public static String toPlain(String markdown) {
    return TextRenderer.render(parse(markdown), new PlainMarks());
  }

  private static Node parse(String markdown) {
    return PARSER.parse(markdown);
  }
}
