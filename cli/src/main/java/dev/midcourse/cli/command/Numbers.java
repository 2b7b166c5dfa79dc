package dev.midcourse.cli.command;

import dev.midcourse.cli.exit.Failure;
import dev.midcourse.cli.spec.Arguments;
import dev.midcourse.cli.spec.Option;
import java.util.Optional;

/** Reads whole numbers that were given as options. */
final class Numbers {
  private Numbers() {}

  static Optional<Long> of(Arguments arguments, Option option) {
    return arguments.value(option).map(text -> parse(option, text, 0));
  }

  /** A number of things: at least one. */
  static Optional<Long> ofThings(Arguments arguments, Option option) {
    return arguments.value(option).map(text -> parse(option, text, 1));
  }

  private static long parse(Option option, String text, long least) {
    try {
      long number = Long.parseLong(text);
      if (number >= least) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Said below.
    }
    throw Failure.usage(
        option.name() + ": not such a number: '" + text + "'",
        "write a whole number, " + least + " or more");
  }
}
