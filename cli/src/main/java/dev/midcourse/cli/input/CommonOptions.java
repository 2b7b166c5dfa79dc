package dev.midcourse.cli.input;

import dev.midcourse.cli.exit.ExitCode;
import dev.midcourse.cli.exit.Failure;
import dev.midcourse.cli.net.HttpRequest;
import dev.midcourse.cli.screen.ShellContext;
import dev.midcourse.cli.screen.TextSanitizer;
import dev.midcourse.cli.spec.Operand;
import dev.midcourse.cli.spec.OptionSpec;
import dev.midcourse.cli.spec.ParsedArguments;
import dev.midcourse.core.json.JsonValue;
import dev.midcourse.core.json.JsonWriter;
import java.time.Duration;
import java.util.Optional;

/** Options that several commands share, and the printing of JSON. */
public final class CommonOptions {
  public static final OptionSpec JSON = OptionSpec.flag("--json", "print JSON");
  public static final OptionSpec QUIET = OptionSpec.flag("--quiet", "print only ids").or('q');
  public static final OptionSpec TIMEOUT =
      OptionSpec.value("--timeout", "TIME", "wait at most this long (30s, 5m, 2h)");

  public static final Operand RUN = new Operand("RUN", Operand.Count.ONE, Operand.Kind.RUN);
  public static final Operand LIVE_RUN =
      new Operand("RUN", Operand.Count.ONE, Operand.Kind.LIVE_RUN);
  public static final Operand STEER = new Operand("STEER", Operand.Count.ONE, Operand.Kind.STEER);

  private static final long MAX = 1_000_000;

  private CommonOptions() {}

  public static String run(String id) {
    if (!couldBeAnId(id)) {
      throw Failure.of(
          ExitCode.NOT_FOUND,
          "run '" + TextSanitizer.line(id) + "' not found",
          "list all runs: midcourse ps --all");
    }
    return "/runs/" + HttpRequest.encoded(id);
  }

  public static String steer(String id) {
    if (!couldBeAnId(id)) {
      throw Failure.of(
          ExitCode.NOT_FOUND,
          "steer '" + TextSanitizer.line(id) + "' not found",
          "list the steers of a run: midcourse steers RUN");
    }
    return "/steers/" + HttpRequest.encoded(id);
  }

  /**
   * Returns whether the text is safe as a part of a path. The hub checks the other rules for an id.
   */
  private static boolean couldBeAnId(String id) {
    return !id.isBlank() && !id.startsWith(".") && id.indexOf('/') < 0;
  }

  /** Prints JSON, indented on a terminal and on one line in a pipe. */
  public static void print(ShellContext shell, JsonValue json) {
    shell
        .page()
        .line(shell.terminals().out() ? JsonWriter.indented(json) : JsonWriter.compact(json));
  }

  /** Parses a time span such as {@code 30s}, {@code 5m}, {@code 2h} or {@code 1d}. */
  public static Optional<Duration> duration(ParsedArguments arguments, OptionSpec option) {
    return arguments.value(option).map(text -> duration(option.name(), text));
  }

  private static Duration duration(String name, String text) {
    Optional<Duration> unit =
        text.isEmpty() ? Optional.empty() : unit(text.charAt(text.length() - 1));
    try {
      long number = unit.isPresent() ? Long.parseLong(text.substring(0, text.length() - 1)) : -1;
      if (number >= 0 && number <= MAX) {
        return unit.orElseThrow().multipliedBy(number);
      }
    } catch (NumberFormatException e) {
      // The failure below reports it.
    }
    throw Failure.usage(
        name + ": expected a duration such as 30s, 5m, 2h or 1d, got '" + text + "'",
        "for example: " + name + " 5m");
  }

  private static Optional<Duration> unit(char message) {
    return switch (message) {
      case 's' -> Optional.of(Duration.ofSeconds(1));
      case 'm' -> Optional.of(Duration.ofMinutes(1));
      case 'h' -> Optional.of(Duration.ofHours(1));
      case 'd' -> Optional.of(Duration.ofDays(1));
      default -> Optional.empty();
    };
  }
}
