package dev.midcourse.cli.command.run;

import dev.midcourse.cli.client.EventFeed;
import dev.midcourse.cli.client.HubClient;
import dev.midcourse.cli.client.RunInfo;
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
  private static final OptionSpec NO_WAIT =
      OptionSpec.flag("--no-wait", "return at once, without waiting for the end");

  public StopCommand() {
    super(
        new CommandSpec(
            "stop",
            CommandSpec.Group.RUNS,
            "stop runs; returns when all their processes have ended",
            """
            A stopped run keeps its history and its session; midcourse restart resumes it.
            """,
            List.of(new Operand("RUN", Operand.Count.SEVERAL, Operand.Kind.LIVE_RUN)),
            List.of(NO_WAIT, CommonOptions.JSON),
            List.of(
                new Example("midcourse stop -", "stop the only live run"),
                new Example("midcourse stop $(midcourse ps -q)", "stop all live runs"))));
  }

  @Override
  public ExitCode run(ParsedArguments arguments, ShellContext shell) throws InterruptedException {
    HubClient hub = HubClient.at(shell.data());
    List<Stopping> stopping = new ArrayList<>();
    List<JsonValue> stopped = new ArrayList<>();
    Optional<Failure> failure = Optional.empty();
    for (String asked : arguments.operands()) {
      try {
        stopping.add(Stopping.ask(hub, asked));
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
          shell.page().line(arguments.has(NO_WAIT) ? run.id() + ": stop requested" : one.told(run));
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
    String told(RunInfo run) throws InterruptedException {
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
