package dev.midcourse.cli.command;

import dev.midcourse.cli.client.HubClient;
import dev.midcourse.cli.client.HubStarter;
import dev.midcourse.cli.exit.ExitCode;
import dev.midcourse.cli.exit.Failure;
import dev.midcourse.cli.input.Editor;
import dev.midcourse.cli.live.AttachedView;
import dev.midcourse.cli.screen.ShellContext;
import dev.midcourse.cli.spec.CommandSpec;
import dev.midcourse.cli.spec.Example;
import dev.midcourse.cli.spec.ParsedArguments;
import dev.midcourse.cli.watch.WatchLoop;
import java.io.IOException;
import java.util.List;

/** Opens the full-screen view. */
final class WatchCommand implements Command {
  static final CommandSpec SPEC =
      new CommandSpec(
          "watch",
          CommandSpec.Group.RUNS,
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
  public CommandSpec spec() {
    return SPEC;
  }

  @Override
  public ExitCode run(ParsedArguments arguments, ShellContext shell)
      throws IOException, InterruptedException {
    if (!AttachedView.possible(shell)) {
      throw Failure.usage(
          "watch needs a terminal",
          "midcourse ps lists what runs; midcourse logs RUN -f follows a run");
    }
    HubClient hub = new HubStarter(shell).ensure();
    new WatchLoop(shell, new Editor(shell)::write).run(hub);
    return ExitCode.DONE;
  }
}
