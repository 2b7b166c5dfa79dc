package dev.midcourse.cli.command;

import dev.midcourse.cli.client.RunInfo;
import dev.midcourse.cli.exit.ExitCode;
import dev.midcourse.cli.live.Attached;
import dev.midcourse.cli.live.Following;
import dev.midcourse.cli.live.PlainView;
import dev.midcourse.cli.screen.Ago;
import dev.midcourse.cli.screen.Page;
import dev.midcourse.cli.screen.Shell;
import dev.midcourse.cli.story.Money;
import dev.midcourse.cli.story.StateInk;
import java.io.IOException;
import java.time.Duration;

/** Stays with a run to its end and prints what came of it. */
final class Stay {
  private final Shell shell;
  private final boolean json;

  Stay(Shell shell, boolean json) {
    this.shell = shell;
    this.json = json;
  }

  ExitCode with(Following following) throws IOException, InterruptedException {
    if (json || !Attached.possible(shell)) {
      RunInfo run = new PlainView(shell).follow(following);
      return finished(run, following.processesEnded());
    }
    shell.notes().line("Type to steer it; /help lists what else; Ctrl-D leaves it at work.");
    return switch (Attached.stay(shell, following)) {
      case RUN_ENDED -> finished(following.now(), following.processesEnded());
      case DETACHED -> {
        String id = following.run().id();
        shell.notes().line(id + " goes on; come back with: midcourse attach " + id);
        yield ExitCode.DONE;
      }
    };
  }

  /** How it ended, and the agent's last words. */
  ExitCode finished(RunInfo run, long processesEnded) {
    if (json) {
      Common.print(shell, run.json());
      return run.exitCode();
    }
    Page notes = shell.notes();
    notes.line(
        notes.paint(StateInk.of(run.state()), run.state()) + took(run) + ended(processesEnded));
    run.text("result").ifPresent(shell.page()::foreign);
    return run.exitCode();
  }

  private static String took(RunInfo run) {
    String time =
        run.at("started_at")
            .flatMap(from ->
                run.at("ended_at").map(to -> " after " + Ago.span(Duration.between(from, to))))
            .orElse("");
    String money = Money.of(run.dollars());
    return time + (money.isEmpty() ? "" : ", " + money);
  }

  private static String ended(long processes) {
    return processes == 0
        ? ""
        : ", " + processes + (processes == 1 ? " process" : " processes") + " ended";
  }
}
