package dev.midcourse.cli.command;

import dev.midcourse.cli.exit.Failure;
import dev.midcourse.cli.spec.Arguments;
import dev.midcourse.cli.spec.Option;
import java.util.Optional;

/** Reads whole numbers that were given as options. */
final class Numbers {
  private Numbers() {}

  static Optional<Long> of(Arguments arguments, Option option) {
    return arguments.value(option).map(text -> parse(option, text));
  }

  private static long parse(Option option, String text) {
    try {
      long number = Long.parseLong(text);
      if (number >= 0) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Said below.
    }
    throw Failure.usage(
        option.name() + ": not a number: '" + text + "'", "write a whole number, 0 or more");
  }
}
