package dev.midcourse.cli.command.run;

import dev.midcourse.cli.client.HubClient;
import dev.midcourse.cli.client.HubStarter;
import dev.midcourse.cli.client.RunInfo;
import dev.midcourse.cli.client.RunPages;
import dev.midcourse.cli.exit.ExitCode;
import dev.midcourse.cli.format.RunListTable;
import dev.midcourse.cli.input.CommonOptions;
import dev.midcourse.cli.input.NumberOptions;
import dev.midcourse.cli.net.HttpRequest;
import dev.midcourse.cli.screen.ShellContext;
import dev.midcourse.cli.spec.Command;
import dev.midcourse.cli.spec.CommandSpec;
import dev.midcourse.cli.spec.Example;
import dev.midcourse.cli.spec.OptionSpec;
import dev.midcourse.cli.spec.ParsedArguments;
import dev.midcourse.core.json.JsonWriter;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Lists runs page by page, so that ten thousand runs need little memory. */
public final class PsCommand extends Command {
  private static final String LIVE = "queued,running,review_requested";

  private static final OptionSpec ALL = OptionSpec.flag("--all", "include ended runs").or('a');
  private static final OptionSpec STATE =
      OptionSpec.value("--state", "STATES", "only runs in these states, separated by commas");
  private static final OptionSpec WORKER =
      OptionSpec.value("--worker", "W", "only runs of this worker");
  private static final OptionSpec LIMIT =
      OptionSpec.value("--limit", "N", "at most N runs, newest first").or('n');

  public PsCommand() {
    super(
        new CommandSpec(
            "ps",
            CommandSpec.Group.RUNS,
            "list runs with their activity and what needs attention",
            """
            Without options it lists the runs that are queued, running or waiting for review.
            """,
            List.of(),
            List.of(ALL, STATE, WORKER, LIMIT, CommonOptions.QUIET, CommonOptions.JSON),
            List.of(
                new Example("midcourse ps", "list live runs"),
                new Example("midcourse ps --all --limit 20", "list the 20 newest runs"),
                new Example(
                    "midcourse ps --state failed --quiet", "print the ids of failed runs"))));
  }

  @Override
  public ExitCode run(ParsedArguments arguments, ShellContext shell) {
    HubClient hub = new HubStarter(shell).client();
    if (arguments.has(CommonOptions.JSON)) {
      json(hub, arguments, shell);
    } else if (arguments.has(CommonOptions.QUIET)) {
      each(hub, arguments, run -> shell.page().line(run.id()));
    } else {
      table(hub, arguments, shell);
    }
    return ExitCode.DONE;
  }

  private static void table(HubClient hub, ParsedArguments arguments, ShellContext shell) {
    RunListTable table = new RunListTable(shell.clock().instant());
    pages(
        hub,
        arguments,
        runs -> {
          runs.forEach(table::add);
          table.print(shell.page());
        });
    if (table.isEmpty()) {
      boolean all = arguments.has(ALL) || arguments.has(STATE);
      shell.notes().line(all ? "No runs" : "No live runs. List ended runs: midcourse ps --all");
    }
  }

  /** Prints one JSON array and writes each run when it arrives. */
  private static void json(HubClient hub, ParsedArguments arguments, ShellContext shell) {
    PrintStream out = shell.out();
    List<String> printed = new ArrayList<>(1);
    each(
        hub,
        arguments,
        run -> {
          out.print(printed.isEmpty() ? "[\n" : ",\n");
          printed.add("");
          out.print(JsonWriter.compact(run.json()));
        });
    out.print(printed.isEmpty() ? "[]\n" : "\n]\n");
    out.flush();
  }

  private static void each(HubClient hub, ParsedArguments arguments, Consumer<RunInfo> to) {
    pages(hub, arguments, runs -> runs.forEach(to));
  }

  private static void pages(HubClient hub, ParsedArguments arguments, Consumer<List<RunInfo>> to) {
    StringBuilder filter = new StringBuilder();
    arguments
        .value(STATE)
        .or(() -> arguments.has(ALL) ? Optional.empty() : Optional.of(LIVE))
        .ifPresent(states -> filter.append("&state=").append(HttpRequest.encoded(states)));
    arguments
        .value(WORKER)
        .ifPresent(worker -> filter.append("&worker=").append(HttpRequest.encoded(worker)));
    long most = NumberOptions.ofThings(arguments, LIMIT).orElse(Long.MAX_VALUE);
    RunPages.each(hub, filter.toString(), most, to);
  }
}
