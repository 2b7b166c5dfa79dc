package dev.midcourse.cli.command;

import dev.midcourse.cli.client.Hub;
import dev.midcourse.cli.client.RunInfo;
import dev.midcourse.cli.client.RunPages;
import dev.midcourse.cli.exit.ExitCode;
import dev.midcourse.cli.net.Request;
import dev.midcourse.cli.screen.Shell;
import dev.midcourse.cli.spec.Arguments;
import dev.midcourse.cli.spec.Example;
import dev.midcourse.cli.spec.Option;
import dev.midcourse.cli.spec.Spec;
import dev.midcourse.core.json.JsonWriter;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Lists runs, a page of the hub's at a time, so that ten thousand of them need little memory. */
final class PsCommand implements Command {
  private static final String LIVE = "queued,running,review_requested";

  private static final Option ALL = Option.flag("--all", "also those that have ended").or('a');
  private static final Option STATE =
      Option.value("--state", "STATES", "only in these states, with commas between them");
  private static final Option WORKER = Option.value("--worker", "W", "only of this worker");
  private static final Option LIMIT =
      Option.value("--limit", "N", "at most so many, the newest first").or('n');

  static final Spec SPEC =
      new Spec(
          "ps",
          Spec.Group.RUNS,
          "[--all] [--state STATES] [--worker W] [--limit N] [--quiet] [--json]",
          "list runs: what each does, since when, and what needs you",
          """
          Without options it lists the runs that are queued, running or waiting for a review.
          """,
          List.of(),
          List.of(ALL, STATE, WORKER, LIMIT, Common.QUIET, Common.JSON),
          List.of(
              new Example("midcourse ps", "what runs now"),
              new Example("midcourse ps --all --limit 20", "the twenty newest runs"),
              new Example("midcourse ps --state failed --quiet", "the ids of those that failed")));

  @Override
  public Spec spec() {
    return SPEC;
  }

  @Override
  public ExitCode run(Arguments arguments, Shell shell) {
    Hub hub = Hub.at(shell.data());
    if (arguments.has(Common.JSON)) {
      json(hub, arguments, shell);
    } else if (arguments.has(Common.QUIET)) {
      each(hub, arguments, run -> shell.page().line(run.id()));
    } else {
      table(hub, arguments, shell);
    }
    return ExitCode.DONE;
  }

  private static void table(Hub hub, Arguments arguments, Shell shell) {
    RunTable table = new RunTable(shell.clock().instant());
    pages(
        hub,
        arguments,
        runs -> {
          runs.forEach(table::add);
          table.print(shell.page());
        });
    if (table.isEmpty()) {
      boolean all = arguments.has(ALL) || arguments.has(STATE);
      shell.notes().line(all ? "no runs" : "nothing runs; midcourse ps --all shows what has ended");
    }
  }

  /** One array, printed as its runs come in. */
  private static void json(Hub hub, Arguments arguments, Shell shell) {
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

  private static void each(Hub hub, Arguments arguments, Consumer<RunInfo> to) {
    pages(hub, arguments, runs -> runs.forEach(to));
  }

  private static void pages(Hub hub, Arguments arguments, Consumer<List<RunInfo>> to) {
    StringBuilder filter = new StringBuilder();
    arguments
        .value(STATE)
        .or(() -> arguments.has(ALL) ? Optional.empty() : Optional.of(LIVE))
        .ifPresent(states -> filter.append("&state=").append(Request.encoded(states)));
    arguments
        .value(WORKER)
        .ifPresent(worker -> filter.append("&worker=").append(Request.encoded(worker)));
    long most = Numbers.ofThings(arguments, LIMIT).orElse(Long.MAX_VALUE);
    RunPages.each(hub, filter.toString(), most, to);
  }
}
