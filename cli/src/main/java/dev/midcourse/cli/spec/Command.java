package dev.midcourse.cli.spec;

import dev.midcourse.cli.exit.ExitCode;
import dev.midcourse.cli.screen.ShellContext;
import java.io.IOException;

/** A command of the command line: its spec and its implementation. */
public abstract class Command {
  private final CommandSpec spec;

  protected Command(CommandSpec spec) {
    this.spec = spec;
  }

  public final CommandSpec spec() {
    return spec;
  }

  /**
   * Executes the command and returns its exit code. Throws a {@code Failure} for an error that the
   * user can correct.
   */
  public abstract ExitCode run(ParsedArguments arguments, ShellContext shell)
      throws IOException, InterruptedException;
}
