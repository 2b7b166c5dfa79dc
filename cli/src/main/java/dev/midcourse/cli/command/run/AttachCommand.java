package dev.midcourse.cli.command.run;

import dev.midcourse.cli.client.HubClient;
import dev.midcourse.cli.client.HubStarter;
import dev.midcourse.cli.client.RunInfo;
import dev.midcourse.cli.exit.ExitCode;
import dev.midcourse.cli.format.NeedText;
import dev.midcourse.cli.input.CommonOptions;
import dev.midcourse.cli.live.FollowedRun;
import dev.midcourse.cli.live.RunFollower;
import dev.midcourse.cli.screen.DurationText;
import dev.midcourse.cli.screen.ShellContext;
import dev.midcourse.cli.screen.TerminalOutput;
import dev.midcourse.cli.screen.TextColor;
import dev.midcourse.cli.screen.TextSanitizer;
import dev.midcourse.cli.spec.Command;
import dev.midcourse.cli.spec.CommandSpec;
import dev.midcourse.cli.spec.Example;
import dev.midcourse.cli.spec.ParsedArguments;
import java.io.IOException;
import java.util.List;

/** Attaches to a live run. */
public final class AttachCommand extends Command {
  public AttachCommand() {
    super(
        new CommandSpec(
            "attach",
            CommandSpec.Group.RUNS,
            "attach to a live run; what you type is a steer",
            """
            Shows the last events, an open question and how to answer it, then all events like \
            midcourse run. All earlier events: midcourse logs RUN.
            """,
            List.of(CommonOptions.LIVE_RUN),
            List.of(CommonOptions.JSON),
            List.of(new Example("midcourse attach -", "attach to the only live run"))));
  }

  @Override
  public ExitCode run(ParsedArguments arguments, ShellContext shell)
      throws IOException, InterruptedException {
    HubClient hub = new HubStarter(shell).ensure();
    String id = new RunInfo(hub.get(CommonOptions.run(arguments.operands().getFirst()))).id();
    RunFollower stay = new RunFollower(shell, arguments.has(CommonOptions.JSON));
    try (FollowedRun following = FollowedRun.fromNow(hub, id)) {
      RunInfo run = following.run();
      if (!run.live()) {
        shell.notes().line(id + " has already ended");
        return stay.finished(run);
      }
      tell(run, shell);
      return stay.with(following);
    }
  }

  private static void tell(RunInfo run, ShellContext shell) {
    TerminalOutput page = shell.notes();
    String since =
        run.progressAt()
            .map(at -> " (" + DurationText.ago(at, shell.clock().instant()) + ")")
            .orElse("");
    page.line(
        page.paint(TextColor.BOLD, run.id())
            + " "
            + run.state()
            + run.waitsFor()
                .map(NeedText::waiting)
                .or(() -> run.doing().map(doing -> TextSanitizer.line(doing) + since))
                .map(text -> ", " + text)
                .orElse(""));
  }
}
