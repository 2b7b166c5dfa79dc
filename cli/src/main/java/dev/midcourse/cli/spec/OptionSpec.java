package dev.midcourse.cli.spec;

import java.util.List;

/**
 * An option of a command.
 *
 * @param name with its dashes: {@code --agent}
 * @param letter the one-letter form, or a space if there is none
 * @param value what its value is called; blank for an option that is only there or not
 * @param choices the values there are, if they can be listed
 */
public record OptionSpec(
    String name, char letter, String value, String help, List<String> choices) {

  /** One that is there or not. */
  public static OptionSpec flag(String name, String help) {
    return new OptionSpec(name, ' ', "", help, List.of());
  }

  /** One with a value. */
  public static OptionSpec value(String name, String value, String help) {
    return new OptionSpec(name, ' ', value, help, List.of());
  }

  /** One with a value out of a few. */
  public static OptionSpec choice(String name, String value, List<String> choices, String help) {
    return new OptionSpec(name, ' ', value, help, choices);
  }

  public OptionSpec or(char shortForm) {
    return new OptionSpec(name, shortForm, value, help, choices);
  }

  boolean takesValue() {
    return !value.isEmpty();
  }

  /** As help shows it: {@code -f, --file FILE}. */
  String form() {
    String dashed = letter == ' ' ? "    " : "-" + letter + ", ";
    return dashed + name + (takesValue() ? " " + value : "");
  }
}
