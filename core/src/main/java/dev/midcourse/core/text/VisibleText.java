package dev.midcourse.core.text;

import java.util.Locale;
import java.util.Optional;

/**
 * Makes text from outside safe to read: what a person sees is what the text contains. A character
 * that is invisible, changes the reading direction, or hides or imitates other characters is shown
 * as its code point: {@code ⟨U+202E⟩}. A name that imitates another name gets a mark: {@code ⟨mixed
 * scripts: Cyrillic, Latin⟩}.
 *
 * <p>{@link #exact} is for all that a person approves or compares: questions of agents, commands,
 * paths, differences. {@link #prose} is for messages: it keeps what ordinary text of any language
 * and emoji need. The web page has the same rules in {@code visible.js}; one list of examples and
 * one comparison of all code points check both.
 */
public final class VisibleText {
  /** The number of nonspacing marks in a row after which UTS 39 calls a text suspicious. */
  private static final int MAX_MARKS = 4;

  /** More spaces or line feeds in a row are counted, so that they push nothing out of sight. */
  private static final int MAX_SPACES = 64;

  private static final int MAX_LINE_FEEDS = 8;

  private final String text;
  private final boolean exact;
  private final StringBuilder out;

  /** The number of nonspacing marks since the last base. */
  private int marks;

  /** The code point that a mark belongs to; 0 at the start of a line and after a shown number. */
  private int base;

  /** The mark of the name that is being copied. */
  private String nameMark = "";

  private Optional<Boolean> rightToLeft = Optional.empty();

  private VisibleText(String text, boolean exact) {
    this.text = text;
    this.exact = exact;
    this.out = new StringBuilder(text.length() + 32);
  }

  /** Returns a message: line feeds, tabs, emoji and the text of all languages stay readable. */
  public static String prose(String text) {
    return isPlain(text, false) ? text : new VisibleText(text, false).cleaned();
  }

  /** Returns a text of which every character counts. Line feeds and tabs stay. */
  public static String exact(String text) {
    return isPlain(text, true) ? text : new VisibleText(text, true).cleaned();
  }

  /** Returns {@link #exact} on one line: a line feed and a tab are shown as their code points. */
  public static String exactLine(String text) {
    String shown = exact(text);
    if (shown.indexOf('\n') < 0 && shown.indexOf('\t') < 0) {
      return shown;
    }
    return shown.replace("\n", codePoint('\n')).replace("\t", codePoint('\t'));
  }

  /** The visible form of a code point. */
  static String codePoint(int point) {
    return String.format(Locale.ROOT, "⟨U+%04X⟩", point);
  }

  /** Returns whether the text consists of characters that are always kept, and has no names. */
  private static boolean isPlain(String text, boolean exact) {
    int spaces = 0;
    int lines = 0;
    for (int at = 0; at < text.length(); at++) {
      char c = text.charAt(at);
      boolean kept = (c >= ' ' && c < 0x7f) || c == '\n' || c == '\t';
      spaces = c == ' ' ? spaces + 1 : 0;
      lines = c == '\n' ? lines + 1 : 0;
      boolean flood = exact && (spaces > MAX_SPACES || lines > MAX_LINE_FEEDS);
      boolean name = c == '@' || (c == '-' && text.startsWith("--", at));
      if (!kept || flood || name) {
        return false;
      }
    }
    return true;
  }

  private String cleaned() {
    int at = 0;
    int name = -1;
    while (at < text.length()) {
      if (at > name && NameMarks.isNamePoint(text.codePointAt(at))) {
        name = NameMarks.end(text, at);
        NameMarks.of(text, at, name, exact).ifPresent(mark -> nameMark = mark);
      }
      at = take(at);
      if (at >= name && !nameMark.isEmpty()) {
        out.append('⟨').append(nameMark).append('⟩');
        nameMark = "";
      }
    }
    return out.toString();
  }

  /** Copies what begins at this index in its visible form; returns the index behind it. */
  private int take(int at) {
    int point = text.codePointAt(at);
    int next = at + Character.charCount(point);
    if (exact && (point == ' ' || point == '\n')) {
      return run(at, (char) point);
    }
    if (!exact && point == '\r' && text.startsWith("\n", next)) {
      return next;
    }
    if (!exact && point == CodePoints.BLACK_FLAG) {
      next = CodePoints.endOfFlag(text, next);
      keep(point);
      out.append(text, at + Character.charCount(point), next);
      return next;
    }
    if (CodePoints.isMark(point)) {
      mark(point, next);
    } else if (isKept(point, at, next)) {
      keep(point);
    } else {
      out.append(codePoint(point));
      base = 0;
      marks = 0;
    }
    return next;
  }

  private void keep(int point) {
    out.appendCodePoint(point);
    if (!CodePoints.isIgnorable(point)) {
      base = point == '\n' ? 0 : point;
      marks = 0;
    }
  }

  private void mark(int point, int next) {
    marks++;
    boolean kept =
        base != 0
            && marks <= MAX_MARKS
            && (exact
                ? Character.isLetter(base) && !CodePoints.isOverlay(point)
                : !CodePoints.isIgnorable(point) || isVariationInPlace(point, next));
    out.append(kept ? Character.toString(point) : codePoint(point));
  }

  private int run(int at, char c) {
    int end = at;
    while (end < text.length() && text.charAt(end) == c) {
      end++;
    }
    int count = end - at;
    if (count <= (c == ' ' ? MAX_SPACES : MAX_LINE_FEEDS)) {
      out.append(text, at, end);
    } else {
      out.append(codePoint(c).replace("⟩", "×" + count + "⟩")).append(c);
    }
    base = c == '\n' ? 0 : c;
    marks = 0;
    return end;
  }

  private boolean isKept(int point, int at, int next) {
    if (point == '\n' || point == '\t') {
      return true;
    }
    if (CodePoints.isAlwaysShown(point)) {
      return false;
    }
    if (exact) {
      return !CodePoints.isShownInExact(point);
    }
    return !CodePoints.isIgnorable(point) || isInPlace(point, at, next);
  }

  /** Returns whether an invisible character of a message is where ordinary text has it. */
  private boolean isInPlace(int point, int at, int next) {
    return switch (point) {
      case CodePoints.JOINER ->
          CodePoints.joinsEmoji(text, at, next) || CodePoints.usesJoiners(base);
      case CodePoints.NON_JOINER -> CodePoints.usesJoiners(base);
      case CodePoints.LEFT_TO_RIGHT, CodePoints.RIGHT_TO_LEFT, CodePoints.ARABIC_LETTER ->
          hasRightToLeft();
      default -> false;
    };
  }

  private boolean hasRightToLeft() {
    if (rightToLeft.isEmpty()) {
      rightToLeft = Optional.of(CodePoints.hasRightToLeft(text));
    }
    return rightToLeft.get();
  }

  private boolean isVariationInPlace(int point, int next) {
    return switch (point) {
      case CodePoints.TEXT_STYLE, CodePoints.EMOJI_STYLE ->
          marks == 1
              && Character.isEmoji(base)
              && (base > 0x7f || text.startsWith(CodePoints.KEYCAP, next));
      default ->
          marks == 1 && CodePoints.isIdeographVariation(point) && Character.isIdeographic(base);
    };
  }
}
