package dev.midcourse.cli;

import dev.midcourse.core.Version;
import java.io.PrintStream;

/** The command line's entry: answers with an exit code, 0 for done and 2 for a wrong use. */
public final class Main {
  private static final String HELP =
      """
      midcourse runs coding agents and lets you correct their course while they run.

        midcourse --version   print the version
        midcourse --help      print this
      """;

  private Main() {}

  public static void main(String[] args) {
    int code = run(args, System.out, System.err);
    if (code != 0) {
      System.exit(code);
    }
  }

  static int run(String[] args, PrintStream out, PrintStream err) {
    String command = args.length == 0 ? "--help" : args[0];
    return switch (command) {
      case "--version" -> print(out, "midcourse " + Version.NUMBER + "\n");
      case "--help" -> print(out, HELP);
      default -> {
        print(err, "midcourse: unknown command '" + command + "', see midcourse --help\n");
        yield 2;
      }
    };
  }

  private static int print(PrintStream to, String text) {
    to.print(text);
    to.flush();
    return 0;
  }
}
