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
import java.util.Optional;

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
      return finished(run, following.processesEnded(), run.text("result"));
    }
    shell.notes().line("Type to steer it; /help lists what else; Ctrl-D leaves it at work.");
    return switch (Attached.stay(shell, following)) {
      case RUN_ENDED -> {
        RunInfo run = following.now();
        Optional<String> unheard = run.text("result").filter(words -> !following.heardLast(words));
        yield finished(run, following.processesEnded(), unheard);
      }
      case DETACHED -> {
        String id = following.run().id();
        shell.notes().line(id + " goes on; come back with: midcourse attach " + id);
        yield ExitCode.DONE;
      }
    };
  }

  /** What came of a run that has ended already. */
  ExitCode finished(RunInfo run) {
    return finished(run, 0, run.text("result"));
  }

  /** How it ended, and the agent's last words where nobody has read them yet. */
  private ExitCode finished(RunInfo run, long processesEnded, Optional<String> lastWords) {
    if (json) {
      Common.print(shell, run.json());
      return run.exitCode();
    }
    Page notes = shell.notes();
    notes.line(
        notes.paint(StateInk.of(run.state()), run.state()) + took(run) + ended(processesEnded));
    lastWords.ifPresent(shell.page()::foreign);
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
