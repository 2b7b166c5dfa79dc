package dev.midcourse.cli.command;

import dev.midcourse.cli.exit.ExitCode;
import dev.midcourse.cli.screen.Shell;
import dev.midcourse.cli.spec.Arguments;
import dev.midcourse.cli.spec.Spec;
import java.io.IOException;

/** Something a person can type. */
public interface Command {
  Spec spec();

  /** Does it and says how it ended; throws a {@code Failure} for what a person can mend. */
  ExitCode run(Arguments arguments, Shell shell) throws IOException, InterruptedException;
}
