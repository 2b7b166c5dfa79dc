package dev.midcourse.core;

import java.util.Arrays;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Names of enum constants outside of Java: lower case with underscores. Also makes outside text
 * safe for messages.
 */
public final class WireNames {
  /**
   * Control characters, invisible format characters, line and paragraph separators, and lone
   * surrogates.
   */
  private static final Pattern UNSAFE = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}]");

  private static final int MAX_SHOWN = 60;

  private WireNames() {}

  public static String name(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  /** Returns the constant of that name. Refuses any other text with a list of the valid names. */
  public static <E extends Enum<E>> E parse(Class<E> type, String field, String text) {
    for (E constant : type.getEnumConstants()) {
      if (name(constant).equals(text)) {
        return constant;
      }
    }
    String names =
        Arrays.stream(type.getEnumConstants())
            .map(WireNames::name)
            .collect(Collectors.joining(", "));
    throw Problem.invalid(
            field, "one of: " + names, field + " must be one of: " + names + "; got " + shown(text))
        .refused();
  }

  /**
   * Returns outside text in quotes, shortened and with unsafe characters replaced, for use in a
   * message.
   */
  public static String shown(String text) {
    String clean = UNSAFE.matcher(cut(text, MAX_SHOWN)).replaceAll("?");
    return '"' + clean + '"';
  }

  /**
   * Returns the text, or its beginning with three dots, in at most {@code maxLength} characters.
   * Never cuts a surrogate pair.
   */
  public static String cut(String text, int maxLength) {
    if (text.length() <= maxLength) {
      return text;
    }
    int end = maxLength - 3;
    return text.substring(0, Character.isHighSurrogate(text.charAt(end - 1)) ? end - 1 : end)
        + "...";
  }
}
