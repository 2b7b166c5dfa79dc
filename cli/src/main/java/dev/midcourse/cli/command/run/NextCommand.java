package dev.midcourse.cli.command.run;

import dev.midcourse.cli.client.HubClient;
import dev.midcourse.cli.client.HubStarter;
import dev.midcourse.cli.client.RunInfo;
import dev.midcourse.cli.client.RunPages;
import dev.midcourse.cli.exit.ExitCode;
import dev.midcourse.cli.format.NeedText;
import dev.midcourse.cli.input.CommonOptions;
import dev.midcourse.cli.screen.DurationText;
import dev.midcourse.cli.screen.ShellContext;
import dev.midcourse.cli.screen.TerminalOutput;
import dev.midcourse.cli.screen.TextColor;
import dev.midcourse.cli.spec.Command;
import dev.midcourse.cli.spec.CommandSpec;
import dev.midcourse.cli.spec.Example;
import dev.midcourse.cli.spec.ParsedArguments;
import dev.midcourse.core.json.JsonValue;
import dev.midcourse.core.run.Need;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Prints the run that needs attention first, the reason and commands that deal with it. */
public final class NextCommand extends Command {
  private static final String STATES =
      "&state=running,review_requested,failed,failed_contract,failed_timeout";

  public NextCommand() {
    super(
        new CommandSpec(
            "next",
            CommandSpec.Group.RUNS,
            "show the run that needs attention first, and why",
            """
            Order: permission requests and questions, runs that need review, runs without activity, \
            failed runs; within each, the longest waiting first.
            """,
            List.of(),
            List.of(CommonOptions.QUIET, CommonOptions.JSON),
            List.of(new Example("midcourse show $(midcourse next -q)", "show that run"))));
  }

  @Override
  public ExitCode run(ParsedArguments arguments, ShellContext shell) {
    HubClient hub = new HubStarter(shell).client();
    Search search = new Search();
    RunPages.each(hub, STATES, Long.MAX_VALUE, search::look);
    Optional<RunInfo> first = search.first;
    if (arguments.has(CommonOptions.JSON)) {
      CommonOptions.print(
          shell, first.<JsonValue>map(RunInfo::json).orElseGet(JsonValue.Null::new));
    } else if (first.isEmpty()) {
      shell.notes().line("No run needs attention");
    } else if (arguments.has(CommonOptions.QUIET)) {
      shell.page().line(first.get().id());
    } else {
      tell(first.get(), search.needing, shell);
    }
    return ExitCode.DONE;
  }

  /** Keeps the first run in the order of needs, and the number of runs that need attention. */
  private static final class Search {
    private Optional<RunInfo> first = Optional.empty();
    private int needing;

    void look(List<RunInfo> runs) {
      for (RunInfo run : runs) {
        if (run.text("needs").isPresent()) {
          needing++;
          first =
              first.filter(other -> order().compare(other, run) <= 0).or(() -> Optional.of(run));
        }
      }
    }
  }

  private static Comparator<RunInfo> order() {
    return Comparator.<RunInfo>comparingInt(run -> need(run).rank())
        .thenComparing(run -> since(run).orElse(Instant.MAX));
  }

  private static Optional<Instant> since(RunInfo run) {
    return run.live() ? run.progressAt() : run.at("ended_at");
  }

  private static void tell(RunInfo run, int needing, ShellContext shell) {
    TerminalOutput page = shell.page();
    String ago =
        since(run).map(at -> ", " + DurationText.ago(at, shell.clock().instant())).orElse("");
    Need need = need(run);
    page.line(run.id() + ": " + page.paint(TextColor.YELLOW, NeedText.of(need)) + ago);
    todo(run, need).forEach(command -> page.line("  " + command));
    if (needing > 1) {
      page.line("  " + (needing - 1) + " more: midcourse ps --all");
    }
  }

  private static Need need(RunInfo run) {
    return Need.parse(run.text("needs").orElse(""));
  }

  /** Returns commands that show the run and deal with it, ready to be pasted. */
  private static List<String> todo(RunInfo run, Need need) {
    return switch (need) {
      case Need.Answer _ ->
          List.of("midcourse show " + run.id(), "midcourse answer " + run.id() + " allow");
      case Need.Review _ -> List.of("midcourse review " + run.id());
      case Need.Quiet _, Need.FailedContract _, Need.TimedOut _, Need.Failed _, Need.Unknown _ ->
          run.live()
              ? List.of(
                  "midcourse logs " + run.id(),
                  "midcourse attach " + run.id(),
                  "midcourse dismiss " + run.id())
              : List.of(
                  "midcourse show " + run.id(),
                  "midcourse restart " + run.id(),
                  "midcourse dismiss " + run.id());
    };
  }
}
