package dev.midcourse.cli.command;

import dev.midcourse.cli.client.HubClient;
import dev.midcourse.cli.client.HubStarter;
import dev.midcourse.cli.exit.ExitCode;
import dev.midcourse.cli.exit.Failure;
import dev.midcourse.cli.input.Editor;
import dev.midcourse.cli.live.AttachedView;
import dev.midcourse.cli.screen.ShellContext;
import dev.midcourse.cli.spec.Command;
import dev.midcourse.cli.spec.CommandSpec;
import dev.midcourse.cli.spec.Example;
import dev.midcourse.cli.spec.ParsedArguments;
import dev.midcourse.cli.watch.WatchLoop;
import java.io.IOException;
import java.util.List;

/** Opens the full-screen view. */
final class WatchCommand extends Command {
  WatchCommand() {
    super(
        new CommandSpec(
            "watch",
            CommandSpec.Group.RUNS,
            "show all runs in a full-screen view and steer them",
            """
            Runs are listed at the top, events of the selected run below. j and k select a run; s \
            steers, i interrupts, f sends a follow-up, x stops, a answers; ? lists all keys. A shows the \
            senders and chats that wait to be let in, to decide on them. q quits; runs keep running.
            """,
            List.of(),
            List.of(),
            List.of(new Example("midcourse watch", "open the view"))));
  }

  @Override
  public ExitCode run(ParsedArguments arguments, ShellContext shell)
      throws IOException, InterruptedException {
    if (!AttachedView.possible(shell)) {
      throw Failure.usage(
          "watch requires a terminal",
          "list runs: midcourse ps; follow one: midcourse logs RUN -f");
    }
    HubClient hub = new HubStarter(shell).ensure().withoutNotices();
    new WatchLoop(shell, new Editor(shell)::write).run(hub);
    return ExitCode.DONE;
  }
}
