package dev.midcourse.core.text;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The fixed form in which a person sees what an agent asks to do: the name of each field, and below
 * it the value as it is, each line behind a bar. So no value can look like another field, and a
 * line feed is a line. A text that is too long is cut, and says so.
 */
public final class RequestText {
  /** The longest request that is shown in full. */
  static final int MAX_LENGTH = 48 * 1024;

  private static final String BAR = "  │ ";

  private RequestText() {}

  /** One part of a request. */
  public sealed interface Field {
    String name();
  }

  /** A value: a command, a path, a reason. */
  public record Value(String name, String value) implements Field {}

  /** A text that replaces another text. */
  public record Change(String name, String before, String after) implements Field {}

  public static String of(List<Field> fields) {
    String text = fields.stream().map(RequestText::block).collect(Collectors.joining("\n"));
    if (text.length() <= MAX_LENGTH) {
      return text;
    }
    int end = Character.isHighSurrogate(text.charAt(MAX_LENGTH - 1)) ? MAX_LENGTH - 1 : MAX_LENGTH;
    return text.substring(0, end)
        + "\n[cut: "
        + (text.length() - end)
        + " more characters, which an approval includes]";
  }

  /**
   * Returns whether a person who reads this text reads the whole request. A longer text is cut,
   * here or by a program that stores it.
   */
  public static boolean isWhole(String text) {
    return text.length() <= MAX_LENGTH;
  }

  private static String block(Field field) {
    Stream<String> lines =
        switch (field) {
          case Value(String _, String value) -> lines(value);
          case Change(String _, String before, String after) ->
              Stream.concat(
                  before.isEmpty() ? Stream.empty() : lines(before).map(line -> "- " + line),
                  after.isEmpty() ? Stream.empty() : lines(after).map(line -> "+ " + line));
        };
    return Stream.concat(
            Stream.of(VisibleText.exactLine(field.name())), lines.map(line -> BAR + line))
        .collect(Collectors.joining("\n"));
  }

  /** The lines of a value, also the empty ones at its end. */
  private static Stream<String> lines(String value) {
    return Stream.of(value.split("\n", -1));
  }
}
