package dev.midcourse.cli.live;

import dev.midcourse.cli.client.RunInfo;
import dev.midcourse.cli.exit.ExitCode;
import dev.midcourse.cli.format.CostText;
import dev.midcourse.cli.format.StateColor;
import dev.midcourse.cli.input.CommonOptions;
import dev.midcourse.cli.screen.DurationText;
import dev.midcourse.cli.screen.ShellContext;
import dev.midcourse.cli.screen.TerminalOutput;
import dev.midcourse.cli.screen.TextWrap;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/** Follows a run to its end and prints the result. */
public final class RunFollower {
  private static final String HOW_TO_STEER =
      "Type to steer; /help lists commands; Ctrl-C twice stops; Ctrl-D detaches.";

  private final ShellContext shell;
  private final boolean json;

  public RunFollower(ShellContext shell, boolean json) {
    this.shell = shell;
    this.json = json;
  }

  public ExitCode with(FollowedRun following) throws IOException, InterruptedException {
    if (json || !AttachedView.possible(shell)) {
      RunInfo run = new PlainView(shell).follow(following);
      return finished(run, following.processesEnded(), run.text("result"));
    }
    TextWrap.rows(HOW_TO_STEER, shell.notes().columns(), Integer.MAX_VALUE)
        .forEach(shell.notes()::line);
    return switch (AttachedView.stay(shell, following)) {
      case RUN_ENDED -> {
        RunInfo run = following.now();
        Optional<String> unprinted =
            run.text("result").filter(words -> !following.printedLast(words));
        yield finished(run, following.processesEnded(), unprinted);
      }
      case DETACHED -> {
        String id = following.run().id();
        shell
            .notes()
            .line("Detached. " + id + " is still running. Attach again: midcourse attach " + id);
        yield ExitCode.DONE;
      }
    };
  }

  /** Prints the result of a run that has already ended. */
  public ExitCode finished(RunInfo run) {
    return finished(run, 0, run.text("result"));
  }

  /** Prints the result, and the agent's last text if the view has not shown it. */
  private ExitCode finished(RunInfo run, long processesEnded, Optional<String> lastOutput) {
    if (json) {
      CommonOptions.print(shell, run.json());
      return run.exitCode();
    }
    TerminalOutput notes = shell.notes();
    notes.line(
        notes.paint(StateColor.of(run.state()), run.state()) + took(run) + ended(processesEnded));
    lastOutput.ifPresent(shell.page()::foreign);
    return run.exitCode();
  }

  private static String took(RunInfo run) {
    String time =
        run.at("started_at")
            .flatMap(from ->
                run.at("ended_at")
                    .map(to -> " after " + DurationText.span(Duration.between(from, to))))
            .orElse("");
    String money = CostText.of(run.dollars());
    return time + (money.isEmpty() ? "" : ", " + money);
  }

  private static String ended(long processes) {
    return processes == 0
        ? ""
        : ", " + processes + (processes == 1 ? " process" : " processes") + " ended";
  }
}
