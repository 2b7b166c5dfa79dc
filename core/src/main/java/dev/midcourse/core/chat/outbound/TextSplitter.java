package dev.midcourse.core.chat.outbound;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Splits Markdown into messages of limited length. A cut is made outside of code fences if one is
 * possible: between paragraphs, else between lines, else at a space, else between any two
 * characters. A fence that is longer than a message is closed at the cut and opened again.
 */
public final class TextSplitter {
  private static final Pattern FENCE = Pattern.compile(" {0,3}(`{3,}|~{3,})([^\\n]*)");

  /** A fence of more marks than this share of a message is not opened again. */
  private static final int MAX_MARKS_SHARE = 8;

  private final int max;
  private final List<String> parts = new ArrayList<>();

  private TextSplitter(int max) {
    this.max = max;
  }

  /**
   * Returns the parts in order, each of at most {@code max} UTF-16 units. A text that is short
   * enough is returned unchanged. Only line ends and spaces at the cuts are left out.
   */
  public static List<String> split(String markdown, int max) {
    if (markdown.length() <= max) {
      return List.of(markdown);
    }
    TextSplitter splitter = new TextSplitter(max);
    splitter.splitAll(markdown);
    return List.copyOf(splitter.parts);
  }

  /** Returns the beginning of a text, with an ellipsis if the rest is left out. */
  public static String truncate(String markdown, int max) {
    return markdown.length() <= max
        ? markdown
        : markdown.substring(0, wholeCharacters(markdown, max - 1)) + "…";
  }

  /**
   * A code fence.
   *
   * @param opening the line that opens it; only its marks if it is long
   * @param closing the line that closes it
   */
  private record Fence(String opening, String closing) {}

  /**
   * A place at which the rest of the text can be cut.
   *
   * @param end where the part ends
   * @param next where the next part begins
   * @param fence the fence in which the cut is
   */
  private record Cut(int end, int next, Optional<Fence> fence) {}

  private void splitAll(String text) {
    String rest = text.substring(skipLineEnds(text, 0));
    Optional<Fence> open = Optional.empty();
    while (!rest.isEmpty()) {
      String opening = open.map(fence -> fence.opening() + "\n").orElse("");
      Cut cut = cut(rest, open, max - opening.length());
      String part = rest.substring(0, cut.end());
      add(opening + cut.fence().map(fence -> closed(part, fence)).orElseGet(part::stripTrailing));
      open = cut.fence();
      rest = rest.substring(open.isPresent() ? cut.next() : skipLineEnds(rest, cut.next()));
    }
  }

  private void add(String part) {
    if (!part.isBlank()) {
      parts.add(part);
    }
  }

  private static String closed(String part, Fence fence) {
    return part + (part.endsWith("\n") ? "" : "\n") + fence.closing();
  }

  /** Finds the best cut of the rest, of which at most {@code room} units fit. */
  private Cut cut(String rest, Optional<Fence> atStart, int room) {
    Optional<Fence> fence = atStart;
    Optional<Cut> paragraph = Optional.empty();
    Optional<Cut> line = Optional.empty();
    Optional<Cut> inFence = Optional.empty();
    Optional<Cut> inLine = Optional.empty();
    int start = 0;
    while (start < room && start < rest.length()) {
      int end = rest.indexOf('\n', start);
      int stop = end < 0 ? rest.length() : end;
      inLine = cutInLine(rest, start, Math.min(stop, room - cost(fence)), fence).or(pass(inLine));
      Optional<Fence> before = fence;
      fence = after(before, rest.substring(start, stop));
      if (stop + 1 >= rest.length() && stop + cost(fence) <= room) {
        return new Cut(stop, rest.length(), fence);
      }
      if (end > 0 && end + cost(fence) <= room) {
        if (fence.isEmpty()) {
          line = Optional.of(new Cut(end, end + 1, fence));
          paragraph = isLineEnd(rest, end + 1) ? line : paragraph;
        } else if (before.isPresent()) {
          inFence = Optional.of(new Cut(end, end + 1, fence));
        }
      }
      start = stop + 1;
    }
    return paragraph
        .filter(cut -> cut.end() >= room / 2)
        .or(pass(line))
        .or(pass(inFence))
        .or(pass(inLine))
        .orElseThrow(() -> new IllegalStateException("a limit of " + max + " is too small"));
  }

  /** The last space of the line up to {@code end}, else the last place between two characters. */
  private static Optional<Cut> cutInLine(String rest, int start, int end, Optional<Fence> fence) {
    if (end <= start) {
      return Optional.empty();
    }
    int space = rest.lastIndexOf(' ', end);
    if (space > start && !rest.substring(start, space).isBlank()) {
      return Optional.of(new Cut(space, space + 1, fence));
    }
    int whole = wholeCharacters(rest, end);
    return whole > start ? Optional.of(new Cut(whole, whole, fence)) : Optional.empty();
  }

  /** The state after this line: the fence in which the next line is. */
  private Optional<Fence> after(Optional<Fence> before, String line) {
    Matcher matcher = FENCE.matcher(line);
    if (!matcher.matches()) {
      return before;
    }
    String marks = matcher.group(1);
    String info = matcher.group(2);
    if (before.isPresent()) {
      boolean closes = marks.startsWith(before.get().closing()) && info.isBlank();
      return closes ? Optional.empty() : before;
    }
    boolean isInlineCode = marks.startsWith("`") && info.indexOf('`') >= 0;
    if (isInlineCode || marks.length() > max / MAX_MARKS_SHARE) {
      return before;
    }
    return Optional.of(new Fence(line.length() > max / 2 ? marks : line, marks));
  }

  /** The room that closing the fence takes. */
  private static int cost(Optional<Fence> fence) {
    return fence.map(f -> f.closing().length() + 1).orElse(0);
  }

  private static int skipLineEnds(String text, int from) {
    int at = from;
    while (isLineEnd(text, at)) {
      at++;
    }
    return at;
  }

  private static boolean isLineEnd(String text, int at) {
    return at < text.length() && text.charAt(at) == '\n';
  }

  /** The greatest end up to this one that cuts no surrogate pair. */
  private static int wholeCharacters(String text, int end) {
    boolean cutsPair =
        end > 0
            && end < text.length()
            && Character.isHighSurrogate(text.charAt(end - 1))
            && Character.isLowSurrogate(text.charAt(end));
    return cutsPair ? end - 1 : end;
  }

  private static <T> Supplier<Optional<T>> pass(Optional<T> value) {
    return () -> value;
  }
}
