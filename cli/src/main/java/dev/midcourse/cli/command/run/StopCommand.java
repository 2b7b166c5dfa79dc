package dev.midcourse.cli.command.run;

import dev.midcourse.cli.client.EventFeed;
import dev.midcourse.cli.client.HubClient;
import dev.midcourse.cli.client.HubStarter;
import dev.midcourse.cli.client.RunInfo;
import dev.midcourse.cli.client.RunPages;
import dev.midcourse.cli.exit.ExitCode;
import dev.midcourse.cli.exit.Failure;
import dev.midcourse.cli.input.CommonOptions;
import dev.midcourse.cli.screen.ErrorPrinter;
import dev.midcourse.cli.screen.ShellContext;
import dev.midcourse.cli.screen.Spinner;
import dev.midcourse.cli.spec.Command;
import dev.midcourse.cli.spec.CommandSpec;
import dev.midcourse.cli.spec.Example;
import dev.midcourse.cli.spec.Operand;
import dev.midcourse.cli.spec.OptionSpec;
import dev.midcourse.cli.spec.ParsedArguments;
import dev.midcourse.core.json.JsonValue;
import dev.midcourse.core.run.RunState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Stops runs. Returns when all their processes have ended, and prints the number of ended
 * processes.
 */
public final class StopCommand extends Command {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final OptionSpec ALL =
      OptionSpec.flag("--all", "stop all queued and running runs");
  private static final OptionSpec NO_WAIT =
      OptionSpec.flag("--no-wait", "return at once, without waiting for the end");

  public StopCommand() {
    super(
        new CommandSpec(
            "stop",
            CommandSpec.Group.RUNS,
            "stop runs; returns when all their processes have ended",
            """
            A stopped run keeps its history and its session; midcourse restart resumes it. A run that \
            waits for review has no processes left: stop leaves it as it is.
            """,
            List.of(new Operand("RUN", Operand.Count.ANY, Operand.Kind.LIVE_RUN)),
            List.of(ALL, NO_WAIT, CommonOptions.JSON),
            List.of(
                new Example("midcourse stop -", "stop the only live run"),
                new Example("midcourse stop --all", "stop all queued and running runs"))));
  }

  @Override
  public ExitCode run(ParsedArguments arguments, ShellContext shell) throws InterruptedException {
    HubClient hub = new HubStarter(shell).client();
    List<Stopping> stopping = new ArrayList<>();
    List<JsonValue> stopped = new ArrayList<>();
    Optional<Failure> failure = Optional.empty();
    List<String> named = named(arguments, hub);
    if (named.isEmpty() && !arguments.has(CommonOptions.JSON)) {
      shell.notes().line("No live runs; nothing to stop");
    }
    for (String asked : named) {
      try {
        RunInfo run = new RunInfo(hub.get(CommonOptions.run(asked)));
        if (run.knownState().equals(Optional.of(RunState.REVIEW_REQUESTED))) {
          shell
              .notes()
              .line(
                  run.id()
                      + ": nothing to stop, it waits for review: midcourse review "
                      + run.id());
        } else {
          stopping.add(Stopping.ask(hub, asked));
        }
      } catch (Failure e) {
        // A failed request does not keep the other runs from being stopped.
        ErrorPrinter.print(shell, e);
        failure = Optional.of(e);
      }
    }
    for (Stopping one : stopping) {
      try (one) {
        RunInfo run = arguments.has(NO_WAIT) ? one.asked() : awaited(one, shell);
        stopped.add(run.json());
        if (!arguments.has(CommonOptions.JSON)) {
          shell
              .page()
              .line(arguments.has(NO_WAIT) ? run.id() + ": stop requested" : one.describe(run));
        }
        if (run.live() && !arguments.has(NO_WAIT)) {
          failure = Optional.of(stillAlive(run));
          ErrorPrinter.print(shell, stillAlive(run));
        }
      }
    }
    if (arguments.has(CommonOptions.JSON)) {
      CommonOptions.print(shell, new JsonValue.Arr(stopped));
    }
    return failure.map(Failure::code).orElse(ExitCode.DONE);
  }

  /** Returns the runs that were named, or all that are queued or running. */
  private static List<String> named(ParsedArguments arguments, HubClient hub) {
    if (!arguments.has(ALL)) {
      return arguments.operands();
    }
    if (!arguments.operands().isEmpty()) {
      throw Failure.usage("stop: --all takes no RUN", "name runs, or use --all alone");
    }
    List<String> ids = new ArrayList<>();
    RunPages.each(
        hub,
        "&state=queued,running",
        Long.MAX_VALUE,
        runs -> runs.forEach(run -> ids.add(run.id())));
    return ids;
  }

  private static RunInfo awaited(Stopping one, ShellContext shell) throws InterruptedException {
    try (Spinner spinner =
        Spinner.on(shell.notes(), shell.clock(), "Stopping " + one.asked().id())) {
      return one.await(TIMEOUT);
    }
  }

  private static Failure stillAlive(RunInfo run) {
    return Failure.of(
        ExitCode.TIME_OVER,
        run.id() + " did not stop within " + TIMEOUT.toSeconds() + " s",
        "stopping continues; check it: midcourse show " + run.id());
  }

  /** A run whose stop was requested, and the feed that delivers its end. */
  static final class Stopping implements AutoCloseable {
    private final HubClient hub;
    private final RunInfo asked;
    private final EventFeed feed;

    private Stopping(HubClient hub, RunInfo asked, EventFeed feed) {
      this.hub = hub;
      this.asked = asked;
      this.feed = feed;
    }

    /** Requests the stop. The feed is opened first, so that the end of the run cannot be missed. */
    static Stopping ask(HubClient hub, String run) {
      String id = new RunInfo(hub.get(CommonOptions.run(run))).id();
      EventFeed feed =
          EventFeed.open(hub, id, Optional.empty(), "run_ended", EventFeed.Absence.IGNORED);
      try {
        JsonValue.Obj answer = hub.post(CommonOptions.run(id) + "/stop", JsonValue.Obj.EMPTY);
        return new Stopping(hub, new RunInfo(answer), feed);
      } catch (Failure e) {
        feed.close();
        throw e;
      }
    }

    RunInfo asked() {
      return asked;
    }

    RunInfo await(Duration atMost) {
      String path = CommonOptions.run(asked.id()) + "?wait=end&timeout=" + atMost.toSeconds() + "s";
      return new RunInfo(hub.getSlowly(path, atMost));
    }

    /** Returns the result line with the number of ended processes, which the end event contains. */
    String describe(RunInfo run) throws InterruptedException {
      if (run.live()) {
        return run.id() + ": still " + run.state();
      }
      long ended = feed.next().flatMap(event -> event.number("processes_ended")).orElse(0L);
      String processes =
          ended == 0
              ? "no processes were running"
              : ended + (ended == 1 ? " process" : " processes") + " ended";
      return run.id() + ": " + run.state() + ", " + processes;
    }

    @Override
    public void close() {
      feed.close();
    }
  }
}
