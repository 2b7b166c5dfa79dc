package dev.midcourse.core;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * How an enum constant is written outside: lower case with underscores, one spelling everywhere.
 */
public final class Wire {
  private Wire() {}

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
        Arrays.stream(type.getEnumConstants()).map(Wire::name).collect(Collectors.joining(", "));
    throw Problem.invalid(
            field, "one of: " + names, field + " must be one of: " + names + "; got " + shown(text))
        .refused();
  }

  /** A piece of outside text made safe and short enough to stand in a message. */
  public static String shown(String text) {
    String clean = text.replaceAll("[\\p{Cntrl}\\p{Cf}\\p{Cs}]", "?");
    return '"' + (clean.length() > 60 ? clean.substring(0, 57) + "..." : clean) + '"';
  }
}
