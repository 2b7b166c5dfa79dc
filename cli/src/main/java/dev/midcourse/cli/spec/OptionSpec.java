package dev.midcourse.cli.spec;

import java.util.List;

/**
 * An option of a command.
 *
 * @param name with its dashes: {@code --agent}
 * @param letter the one-letter form, or a space if there is none
 * @param value the name of its value; blank for a flag
 * @param choices the allowed values; empty if any value is allowed
 */
public record OptionSpec(
    String name, char letter, String value, String help, List<String> choices) {

  /** An option without a value. */
  public static OptionSpec flag(String name, String help) {
    return new OptionSpec(name, ' ', "", help, List.of());
  }

  /** An older name of a flag, which still works; help and completion do not show it. */
  public static OptionSpec alias(String name) {
    return flag(name, "");
  }

  boolean hidden() {
    return help.isEmpty();
  }

  /** An option with a value. */
  public static OptionSpec value(String name, String value, String help) {
    return new OptionSpec(name, ' ', value, help, List.of());
  }

  /** An option with one of the listed values. */
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
    return dashed + longForm();
  }

  /** As the usage line shows it: {@code --file FILE}. */
  String longForm() {
    return takesValue() ? name + " " + value : name;
  }
}
