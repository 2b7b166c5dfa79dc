package dev.midcourse.cli.command;

import dev.midcourse.cli.exit.ExitCode;
import dev.midcourse.cli.screen.ShellContext;
import dev.midcourse.cli.spec.CommandSpec;
import dev.midcourse.cli.spec.ParsedArguments;
import java.io.IOException;

/** Something a person can type. */
public interface Command {
  CommandSpec spec();

  /** Does it and says how it ended; throws a {@code Failure} for what a person can mend. */
  ExitCode run(ParsedArguments arguments, ShellContext shell)
      throws IOException, InterruptedException;
}
