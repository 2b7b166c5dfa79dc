package dev.midcourse.core.text;

import java.lang.Character.UnicodeScript;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Finds names that imitate other names: words in mixed scripts (a Cyrillic letter in "paypal"),
 * encoded host names (xn--), host names of look-alike letters, and addresses whose beginning looks
 * like another host. The rule for scripts is the level "highly restrictive" of UTS 39 over the
 * scripts that UAX 31 recommends. In an exact text each name is checked, in a message only the
 * hosts of addresses.
 */
final class NameMarks {
  private static final int MAX_AUTHORITY = 300;
  private static final String BEFORE_AUTHORITY = "://";
  private static final String AFTER_AUTHORITY = "/?#\\\"'<> \t\r\n";

  /** Cyrillic, Greek and Armenian letters that look like a Latin letter or a digit. */
  private static final String LOOK_ALIKE =
      "\u0430\u0433\u0435\u043a\u043c\u043d\u043e\u0440\u0441\u0442\u0443\u0445\u044c\u0455\u0456\u0458"
          + "\u0475\u04bb\u04cf\u0501\u051b\u051d"
          + "\u03b1\u03b3\u03b5\u03b7\u03b9\u03ba\u03bd\u03bf\u03c1\u03c4\u03c5\u03c7\u03c9\u03f2\u03f3"
          + "\u0566\u0570\u0575\u0578\u057d\u0581\u0585";

  private static final Set<UnicodeScript> RECOMMENDED =
      EnumSet.of(
          UnicodeScript.ARABIC,
          UnicodeScript.ARMENIAN,
          UnicodeScript.BENGALI,
          UnicodeScript.BOPOMOFO,
          UnicodeScript.CYRILLIC,
          UnicodeScript.DEVANAGARI,
          UnicodeScript.ETHIOPIC,
          UnicodeScript.GEORGIAN,
          UnicodeScript.GREEK,
          UnicodeScript.GUJARATI,
          UnicodeScript.GURMUKHI,
          UnicodeScript.HAN,
          UnicodeScript.HANGUL,
          UnicodeScript.HEBREW,
          UnicodeScript.HIRAGANA,
          UnicodeScript.KANNADA,
          UnicodeScript.KATAKANA,
          UnicodeScript.KHMER,
          UnicodeScript.LAO,
          UnicodeScript.LATIN,
          UnicodeScript.MALAYALAM,
          UnicodeScript.MYANMAR,
          UnicodeScript.ORIYA,
          UnicodeScript.SINHALA,
          UnicodeScript.TAMIL,
          UnicodeScript.TELUGU,
          UnicodeScript.THAANA,
          UnicodeScript.THAI,
          UnicodeScript.TIBETAN);

  /** The scripts that one word of Japanese, Chinese or Korean may have together. */
  private static final List<Set<String>> COMBINED_SCRIPTS =
      List.of(
          Set.of("Latin", "Han", "Hiragana", "Katakana"),
          Set.of("Latin", "Han", "Bopomofo"),
          Set.of("Latin", "Han", "Hangul"));

  private NameMarks() {}

  static boolean isNamePoint(int point) {
    if (point < 0x80) {
      return Character.isLetterOrDigit(point) || point == '.' || point == '_' || point == '-';
    }
    return switch (Character.getType(point)) {
      case Character.UPPERCASE_LETTER,
          Character.LOWERCASE_LETTER,
          Character.TITLECASE_LETTER,
          Character.MODIFIER_LETTER,
          Character.OTHER_LETTER,
          Character.NON_SPACING_MARK,
          Character.COMBINING_SPACING_MARK,
          Character.ENCLOSING_MARK,
          Character.DECIMAL_DIGIT_NUMBER,
          Character.LETTER_NUMBER,
          Character.OTHER_NUMBER ->
          true;
      default -> false;
    };
  }

  /** Returns the end of the name that begins at this index. */
  static int end(String text, int from) {
    int at = from;
    while (at < text.length() && isNamePoint(text.codePointAt(at))) {
      at += Character.charCount(text.codePointAt(at));
    }
    return at;
  }

  /** Returns the mark of a name, if it needs one. */
  static Optional<String> of(String text, int from, int to, boolean exact) {
    String name = text.substring(from, to);
    Optional<String> user = userOf(text, from);
    boolean host = user.isPresent() && !isUser(text, to);
    List<String> found = new ArrayList<>();
    if (exact || host) {
      words(name, found);
    }
    if (host || (exact && name.contains("."))) {
      labels(name, found);
    }
    if (host && user.orElse("").contains(".")) {
      found.add("the host is " + name);
    }
    return found.isEmpty()
        ? Optional.empty()
        : Optional.of(String.join("; ", found.stream().distinct().toList()));
  }

  /**
   * Returns the part of an address between its scheme and this index: empty for a host without a
   * user. Returns nothing if the index is not where a host begins.
   */
  private static Optional<String> userOf(String text, int from) {
    if (text.startsWith(BEFORE_AUTHORITY, from - BEFORE_AUTHORITY.length())) {
      return Optional.of("");
    }
    if (from == 0 || text.charAt(from - 1) != '@') {
      return Optional.empty();
    }
    for (int at = from - 1; at >= 3 && at > from - MAX_AUTHORITY; at--) {
      if (text.startsWith(BEFORE_AUTHORITY, at - 3)) {
        return Optional.of(text.substring(at, from - 1));
      }
      if (AFTER_AUTHORITY.indexOf(text.charAt(at - 1)) >= 0) {
        return Optional.empty();
      }
    }
    return Optional.empty();
  }

  /** Returns whether an @ follows in the same address, so that what is before it is no host. */
  private static boolean isUser(String text, int from) {
    int most = Math.min(text.length(), from + MAX_AUTHORITY);
    for (int at = from; at < most; at++) {
      char c = text.charAt(at);
      if (c == '@') {
        return true;
      }
      if (AFTER_AUTHORITY.indexOf(c) >= 0) {
        return false;
      }
    }
    return false;
  }

  private static void words(String name, List<String> found) {
    if (isAscii(name)) {
      return;
    }
    for (String word : name.split("[._-]", -1)) {
      if (isAscii(word)) {
        continue;
      }
      Set<String> scripts = scripts(word);
      if (scripts.size() > 1
          && COMBINED_SCRIPTS.stream().noneMatch(set -> set.containsAll(scripts))) {
        found.add("mixed scripts: " + String.join(", ", scripts));
      } else if (scripts.contains("other")) {
        found.add("unusual script");
      }
      if (!Normalizer.normalize(word, Normalizer.Form.NFKC)
          .equals(Normalizer.normalize(word, Normalizer.Form.NFC))) {
        found.add("imitated letters");
      }
    }
  }

  private static void labels(String name, List<String> found) {
    String[] labels = name.toLowerCase(Locale.ROOT).split("\\.", -1);
    String last = labels[labels.length - 1];
    for (String label : labels) {
      if (label.startsWith("xn--")) {
        found.add("encoded name");
      } else if (!isAscii(label) && isAscii(last) && labels.length > 1 && looksLatin(label)) {
        found.add("look-alike letters: " + String.join(", ", scripts(label)));
      }
    }
  }

  /** Returns whether a label has letters of one script, not Latin, that all look like Latin. */
  private static boolean looksLatin(String label) {
    return scripts(label).size() == 1
        && label.codePoints().allMatch(point -> point < 0x80 || LOOK_ALIKE.indexOf(point) >= 0);
  }

  /** Returns the names of the scripts of the word's letters, in order. */
  private static Set<String> scripts(String word) {
    Set<String> scripts = new TreeSet<>(Comparator.naturalOrder());
    word.codePoints()
        .mapToObj(UnicodeScript::of)
        .filter(script -> script != UnicodeScript.COMMON && script != UnicodeScript.INHERITED)
        .map(script -> RECOMMENDED.contains(script) ? titled(script) : "other")
        .forEach(scripts::add);
    return scripts;
  }

  private static String titled(UnicodeScript script) {
    String name = script.name();
    return name.charAt(0) + name.substring(1).toLowerCase(Locale.ROOT);
  }

  private static boolean isAscii(String text) {
    return text.chars().allMatch(c -> c < 0x80);
  }
}
