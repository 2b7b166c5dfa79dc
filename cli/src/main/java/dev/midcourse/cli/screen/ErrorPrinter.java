package dev.midcourse.cli.screen;

import dev.midcourse.cli.exit.Failure;

/**
 * Prints a failure: one line for the error, one line for the remedy. Both are sanitized, because a
 * failure names arguments and paths of a user and words of a hub.
 */
public final class ErrorPrinter {
  private ErrorPrinter() {}

  public static void print(ShellContext shell, Failure failure) {
    TerminalOutput page = shell.notes();
    page.line(page.paint(TextColor.RED, "midcourse: ") + TextSanitizer.lines(failure.what()));
    if (!failure.remedy().isBlank()) {
      page.line("  " + TextSanitizer.lines(failure.remedy()));
    }
  }
}
