package dev.midcourse.channels.markdown;

import java.util.ArrayList;
import java.util.List;
import org.commonmark.ext.gfm.strikethrough.Strikethrough;
import org.commonmark.ext.gfm.tables.TableBlock;
import org.commonmark.ext.gfm.tables.TableCell;
import org.commonmark.ext.gfm.tables.TableRow;
import org.commonmark.node.BlockQuote;
import org.commonmark.node.BulletList;
import org.commonmark.node.Code;
import org.commonmark.node.Emphasis;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.HardLineBreak;
import org.commonmark.node.Heading;
import org.commonmark.node.HtmlBlock;
import org.commonmark.node.HtmlInline;
import org.commonmark.node.Image;
import org.commonmark.node.IndentedCodeBlock;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.node.OrderedList;
import org.commonmark.node.Paragraph;
import org.commonmark.node.SoftLineBreak;
import org.commonmark.node.StrongEmphasis;
import org.commonmark.node.Text;
import org.commonmark.node.ThematicBreak;
import org.jspecify.annotations.Nullable;

/**
 * Renders a document as lines of text with the marks of a platform: blocks with an empty line
 * between them, lists with bullets or numbers, tables as a code block.
 */
final class TextRenderer {
  private static final String RULE = "———";
  private static final String BULLET = "• ";

  private final Marks marks;

  private TextRenderer(Marks marks) {
    this.marks = marks;
  }

  static String render(Node document, Marks marks) {
    return new TextRenderer(marks).blocks(document, "\n\n").strip();
  }

  private String blocks(Node parent, String separator) {
    List<String> blocks = new ArrayList<>();
    for (Node child : children(parent)) {
      String block = block(child);
      if (!block.isBlank()) {
        blocks.add(block);
      }
    }
    return String.join(separator, blocks);
  }

  private String block(Node node) {
    return switch (node) {
      case Heading heading -> marks.heading(inlines(heading));
      case Paragraph paragraph -> inlines(paragraph);
      case BlockQuote quote -> marks.quote(blocks(quote, "\n\n"));
      case FencedCodeBlock code ->
          marks.codeBlock(firstWord(code.getInfo()), code.getLiteral().stripTrailing());
      case IndentedCodeBlock code -> marks.codeBlock("", code.getLiteral().stripTrailing());
      case BulletList list -> items(list, list.isTight(), BULLET, 0);
      case OrderedList list -> items(list, list.isTight(), "", startOf(list));
      case ThematicBreak _ -> RULE;
      case HtmlBlock html -> marks.escape(html.getLiteral());
      case TableBlock table -> marks.codeBlock("", table(table));
      case Node other -> inlines(other);
    };
  }

  private static int startOf(OrderedList list) {
    @Nullable Integer start = list.getMarkerStartNumber();
    return start == null ? 1 : start;
  }

  /**
   * @param bullet empty for a numbered list
   */
  private String items(Node list, boolean tight, String bullet, int start) {
    List<String> items = new ArrayList<>();
    int number = start;
    for (Node item : children(list)) {
      String mark = bullet.isEmpty() ? number++ + ". " : bullet;
      String indent = " ".repeat(mark.length());
      String content = blocks(item, tight ? "\n" : "\n\n");
      items.add(mark + content.replace("\n", "\n" + indent));
    }
    return String.join(tight ? "\n" : "\n\n", items);
  }

  private String inlines(Node parent) {
    StringBuilder text = new StringBuilder();
    for (Node child : children(parent)) {
      text.append(inline(child));
    }
    return text.toString();
  }

  private String inline(Node node) {
    return switch (node) {
      case Text text -> marks.escape(text.getLiteral());
      case StrongEmphasis strong -> marks.strong(inlines(strong));
      case Emphasis emphasis -> marks.emphasis(inlines(emphasis));
      case Strikethrough struck -> marks.strikethrough(inlines(struck));
      case Code code -> marks.code(code.getLiteral());
      case Link link -> link(inlines(link), link.getDestination());
      case Image image -> link(inlines(image), image.getDestination());
      case HtmlInline html -> marks.escape(html.getLiteral());
      case SoftLineBreak _, HardLineBreak _ -> "\n";
      case Node other -> inlines(other);
    };
  }

  private String link(String inner, String url) {
    if (!Marks.isSafe(url)) {
      return inner.isEmpty() ? marks.escape(url) : inner + " (" + marks.escape(url) + ")";
    }
    return marks.link(inner.isEmpty() ? marks.escape(url) : inner, url);
  }

  /** The cells of a table in columns, as the plain text that they show. */
  private static String table(TableBlock table) {
    List<List<String>> rows = new ArrayList<>();
    TextRenderer plain = new TextRenderer(new PlainMarks());
    for (Node part : children(table)) {
      for (Node row : children(part)) {
        if (row instanceof TableRow) {
          rows.add(
              children(row).stream()
                  .filter(TableCell.class::isInstance)
                  .map(plain::inlines)
                  .toList());
        }
      }
    }
    return columns(rows);
  }

  private static String columns(List<List<String>> rows) {
    int count = rows.stream().mapToInt(List::size).max().orElse(0);
    int[] widths = new int[count];
    for (List<String> row : rows) {
      for (int i = 0; i < row.size(); i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    List<String> lines = new ArrayList<>();
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < row.size(); i++) {
        line.append(row.get(i)).append(" ".repeat(widths[i] - row.get(i).length() + 2));
      }
      lines.add(line.toString().stripTrailing());
    }
    return String.join("\n", lines);
  }

  private static String firstWord(@Nullable String info) {
    return info == null ? "" : info.strip().split("\\s", 2)[0];
  }

  private static List<Node> children(Node parent) {
    List<Node> children = new ArrayList<>();
    @Nullable Node child = parent.getFirstChild();
    while (child != null) {
      children.add(child);
      child = child.getNext();
    }
    return children;
  }
}
