package dev.midcourse.core;

import java.util.Arrays;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * How an enum constant is written outside: lower case with underscores, one spelling everywhere.
 */
public final class WireNames {
  /** Controls, invisible format characters, line and paragraph separators, half characters. */
  private static final Pattern UNSAFE = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}]");

  private static final int MAX_SHOWN = 60;

  private WireNames() {}

  public static String name(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  /** The constant of that name, or a refusal that lists the names there are. */
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

  /** A piece of outside text made safe and short enough to stand in a message. */
  public static String shown(String text) {
    String clean = UNSAFE.matcher(cut(text, MAX_SHOWN)).replaceAll("?");
    return '"' + clean + '"';
  }

  /** The text, or as much of it as fits with three dots; never half a character. */
  public static String cut(String text, int longest) {
    if (text.length() <= longest) {
      return text;
    }
    int end = longest - 3;
    return text.substring(0, Character.isHighSurrogate(text.charAt(end - 1)) ? end - 1 : end)
        + "...";
  }
}
