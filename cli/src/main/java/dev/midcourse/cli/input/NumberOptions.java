package dev.midcourse.cli.input;

import dev.midcourse.cli.exit.Failure;
import dev.midcourse.cli.spec.OptionSpec;
import dev.midcourse.cli.spec.ParsedArguments;
import java.util.Optional;

/** Parses options whose value is a whole number. */
public final class NumberOptions {
  private NumberOptions() {}

  public static Optional<Long> of(ParsedArguments arguments, OptionSpec option) {
    return arguments.value(option).map(text -> parse(option, text, 0));
  }

  /** Parses a number of at least one. */
  public static Optional<Long> ofThings(ParsedArguments arguments, OptionSpec option) {
    return arguments.value(option).map(text -> parse(option, text, 1));
  }

  private static long parse(OptionSpec option, String text, long min) {
    try {
      long number = Long.parseLong(text);
      if (number >= min) {
        return number;
      }
    } catch (NumberFormatException e) {
      // The failure below reports it.
    }
    throw Failure.usage(
        option.name()
            + (min > 0 ? ": expected a positive integer" : ": expected a non-negative integer")
            + ", got '"
            + text
            + "'",
        "for example: " + option.name() + " 10");
  }
}
