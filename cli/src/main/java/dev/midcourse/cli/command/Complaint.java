package dev.midcourse.cli.command;

import dev.midcourse.cli.exit.Failure;
import dev.midcourse.cli.screen.Ink;
import dev.midcourse.cli.screen.Page;
import dev.midcourse.cli.screen.Shell;

/** Says what went wrong: one line what, one line what to do. */
public final class Complaint {
  private Complaint() {}

  public static void print(Shell shell, Failure failure) {
    Page page = shell.notes();
    page.line(page.paint(Ink.RED, "midcourse: ") + failure.what());
    if (!failure.remedy().isBlank()) {
      page.line("  " + failure.remedy());
    }
  }
}
