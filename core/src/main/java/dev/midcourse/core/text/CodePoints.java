package dev.midcourse.core.text;

import java.lang.Character.UnicodeScript;
import java.util.EnumSet;
import java.util.Set;

/** Properties of code points that decide how they are shown; see {@link VisibleText}. */
final class CodePoints {
  static final int NON_JOINER = 0x200c;
  static final int JOINER = 0x200d;
  static final int LEFT_TO_RIGHT = 0x200e;
  static final int RIGHT_TO_LEFT = 0x200f;
  static final int ARABIC_LETTER = 0x061c;
  static final int TEXT_STYLE = 0xfe0e;
  static final int EMOJI_STYLE = 0xfe0f;
  static final int BLACK_FLAG = 0x1f3f4;
  static final String KEYCAP = "\u20e3";
  private static final int OPENING = 0x27e8;
  private static final int EMPTY_BRAILLE = 0x2800;
  private static final int END_OF_TAGS = 0xe007f;

  /**
   * First and last code points of Default_Ignorable_Code_Point, which the JDK does not have. The
   * property is stable: Unicode reserves these ranges for it.
   */
  private static final int[] IGNORABLE = {
    0xad, 0xad, 0x34f, 0x34f, 0x61c, 0x61c, 0x115f, 0x1160, 0x17b4, 0x17b5, 0x180b, 0x180f, 0x200b,
    0x200f, 0x202a, 0x202e, 0x2060, 0x206f, 0x3164, 0x3164, 0xfe00, 0xfe0f, 0xfeff, 0xfeff, 0xffa0,
    0xffa0, 0xfff0, 0xfff8, 0x1bca0, 0x1bca3, 0x1d173, 0x1d17a, 0xe0000, 0xe0fff
  };

  /** First and last code points of the marks that lie over their letter and can hide it. */
  private static final int[] OVERLAY = {
    0x334, 0x338, 0x20d2, 0x20d3, 0x20d8, 0x20da, 0x20dd, 0x20e0, 0x20e2, 0x20e6, 0x20ea, 0x20eb
  };

  /** First and last code points of the signs that have the category of controls and are visible. */
  private static final int[] VISIBLE_FORMAT = {
    0x600, 0x605, 0x6dd, 0x6dd, 0x70f, 0x70f, 0x890, 0x891, 0x8e2, 0x8e2, 0x110bd, 0x110bd, 0x110cd,
    0x110cd
  };

  private static final Set<UnicodeScript> RIGHT_TO_LEFT_SCRIPTS =
      EnumSet.of(
          UnicodeScript.HEBREW,
          UnicodeScript.ARABIC,
          UnicodeScript.SYRIAC,
          UnicodeScript.THAANA,
          UnicodeScript.NKO);

  /** The scripts whose letters change their shape with a joiner or a non-joiner. */
  private static final Set<UnicodeScript> JOINING_SCRIPTS =
      EnumSet.of(
          UnicodeScript.ARABIC,
          UnicodeScript.SYRIAC,
          UnicodeScript.NKO,
          UnicodeScript.MONGOLIAN,
          UnicodeScript.DEVANAGARI,
          UnicodeScript.BENGALI,
          UnicodeScript.GURMUKHI,
          UnicodeScript.GUJARATI,
          UnicodeScript.ORIYA,
          UnicodeScript.TAMIL,
          UnicodeScript.TELUGU,
          UnicodeScript.KANNADA,
          UnicodeScript.MALAYALAM,
          UnicodeScript.SINHALA,
          UnicodeScript.KHMER,
          UnicodeScript.MYANMAR);

  private CodePoints() {}

  static boolean isIgnorable(int point) {
    return isIn(IGNORABLE, point);
  }

  static boolean isOverlay(int point) {
    return isIn(OVERLAY, point)
        || isIgnorable(point)
        || Character.getType(point) == Character.ENCLOSING_MARK;
  }

  static boolean isMark(int point) {
    return switch (Character.getType(point)) {
      case Character.NON_SPACING_MARK, Character.ENCLOSING_MARK -> true;
      default -> false;
    };
  }

  /** Returns whether the code point is shown as a number also in a message. */
  static boolean isAlwaysShown(int point) {
    return switch (Character.getType(point)) {
      case Character.CONTROL,
          Character.SURROGATE,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          true;
      case Character.FORMAT -> !isIgnorable(point) && !isIn(VISIBLE_FORMAT, point);
      case Character.UNASSIGNED ->
          (point & 0xfffe) == 0xfffe || (point >= 0xfdd0 && point <= 0xfdef);
      default -> false;
    };
  }

  /** Returns whether the code point is shown as a number in an exact text. */
  static boolean isShownInExact(int point) {
    if (point == OPENING || point == EMPTY_BRAILLE || isIgnorable(point)) {
      return true;
    }
    return switch (Character.getType(point)) {
      case Character.FORMAT, Character.PRIVATE_USE, Character.UNASSIGNED -> true;
      case Character.SPACE_SEPARATOR -> point != ' ';
      default -> false;
    };
  }

  static boolean isIdeographVariation(int point) {
    return point >= 0xe0100 && point <= 0xe01ef;
  }

  static boolean usesJoiners(int base) {
    return base != 0 && JOINING_SCRIPTS.contains(UnicodeScript.of(base));
  }

  /** Returns whether a joiner between these indexes stands between two emoji. */
  static boolean joinsEmoji(String text, int at, int next) {
    return at > 0
        && next < text.length()
        && endsEmoji(text.codePointBefore(at))
        && Character.isExtendedPictographic(text.codePointAt(next));
  }

  private static boolean endsEmoji(int point) {
    return Character.isExtendedPictographic(point)
        || Character.isEmojiModifier(point)
        || point == EMOJI_STYLE;
  }

  static boolean hasRightToLeft(String text) {
    return text.codePoints()
        .anyMatch(point ->
            Character.isLetter(point) && RIGHT_TO_LEFT_SCRIPTS.contains(UnicodeScript.of(point)));
  }

  /**
   * Returns the end of the invisible letters that make the flag of a region, such as Scotland, of
   * the black flag before this index; the index itself if the letters are not complete.
   */
  static int endOfFlag(String text, int from) {
    int at = from;
    int letters = 0;
    while (at < text.length()) {
      int point = text.codePointAt(at);
      at += Character.charCount(point);
      if (point == END_OF_TAGS) {
        return letters >= 3 ? at : from;
      }
      boolean letter =
          (point >= 0xe0061 && point <= 0xe007a) || (point >= 0xe0030 && point <= 0xe0039);
      if (!letter || ++letters > 6) {
        return from;
      }
    }
    return from;
  }

  private static boolean isIn(int[] ranges, int point) {
    for (int i = 0; i < ranges.length && ranges[i] <= point; i += 2) {
      if (point <= ranges[i + 1]) {
        return true;
      }
    }
    return false;
  }
}
