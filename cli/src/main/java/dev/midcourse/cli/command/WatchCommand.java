package dev.midcourse.cli.command;

import dev.midcourse.cli.client.Hub;
import dev.midcourse.cli.client.HubStarter;
import dev.midcourse.cli.exit.ExitCode;
import dev.midcourse.cli.exit.Failure;
import dev.midcourse.cli.live.Attached;
import dev.midcourse.cli.screen.Shell;
import dev.midcourse.cli.spec.Arguments;
import dev.midcourse.cli.spec.Example;
import dev.midcourse.cli.spec.Spec;
import dev.midcourse.cli.watch.Watch;
import java.io.IOException;
import java.util.List;

/** Opens the full-screen view. */
final class WatchCommand implements Command {
  static final Spec SPEC =
      new Spec(
          "watch",
          Spec.Group.RUNS,
          "",
          "all runs on one screen, to steer with single keys",
          """
          Runs above, what the chosen one does below, as it happens. j and k choose; s steers, i \
          interrupts, f says what comes after, x stops, a answers what the agent asks; ? lists the \
          other keys. Leaving it with q ends nothing.
          """,
          List.of(),
          List.of(),
          List.of(new Example("midcourse watch", "see everything that runs")));

  @Override
  public Spec spec() {
    return SPEC;
  }

  @Override
  public ExitCode run(Arguments arguments, Shell shell) throws IOException, InterruptedException {
    if (!Attached.possible(shell)) {
      throw Failure.usage(
          "watch needs a terminal",
          "midcourse ps lists what runs; midcourse logs RUN -f follows a run");
    }
    Hub hub = new HubStarter(shell).ensure();
    new Watch(shell, new Editor(shell)::write).run(hub);
    return ExitCode.DONE;
  }
}
