package dev.midcourse.cli.command;

import dev.midcourse.cli.client.Hub;
import dev.midcourse.cli.client.RunInfo;
import dev.midcourse.cli.exit.ExitCode;
import dev.midcourse.cli.live.Following;
import dev.midcourse.cli.screen.Ago;
import dev.midcourse.cli.screen.Clean;
import dev.midcourse.cli.screen.Ink;
import dev.midcourse.cli.screen.Page;
import dev.midcourse.cli.screen.Shell;
import dev.midcourse.cli.spec.Arguments;
import dev.midcourse.cli.spec.Example;
import dev.midcourse.cli.spec.Spec;
import java.io.IOException;
import java.util.List;

/** Comes back to a run that is at work. */
final class AttachCommand implements Command {
  static final Spec SPEC =
      new Spec(
          "attach",
          Spec.Group.RUNS,
          "RUN [--json]",
          "come back to a run; what you type is a steer",
          """
          Shows what happens from now on, as midcourse run does; midcourse logs has what happened \
          before.
          """,
          List.of(Common.LIVE_RUN),
          List.of(Common.JSON),
          List.of(new Example("midcourse attach -", "the only live run")));

  @Override
  public Spec spec() {
    return SPEC;
  }

  @Override
  public ExitCode run(Arguments arguments, Shell shell) throws IOException, InterruptedException {
    Hub hub = Hub.at(shell.data());
    String id = new RunInfo(hub.get(Common.run(arguments.operands().getFirst()))).id();
    Stay stay = new Stay(shell, arguments.has(Common.JSON));
    try (Following following = Following.fromNow(hub, id)) {
      RunInfo run = following.run();
      if (!run.live()) {
        shell.notes().line(id + " has ended already");
        return stay.finished(run);
      }
      tell(run, shell);
      return stay.with(following);
    }
  }

  private static void tell(RunInfo run, Shell shell) {
    Page page = shell.notes();
    String since =
        run.progressAt().map(at -> " (" + Ago.ago(at, shell.clock().instant()) + ")").orElse("");
    page.line(
        page.paint(Ink.BOLD, run.id())
            + " "
            + run.state()
            + run.doing().map(doing -> ", " + Clean.line(doing) + since).orElse(""));
  }
}
