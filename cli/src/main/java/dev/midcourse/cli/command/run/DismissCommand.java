package dev.midcourse.cli.command.run;

import dev.midcourse.cli.client.HubClient;
import dev.midcourse.cli.client.HubStarter;
import dev.midcourse.cli.client.RunInfo;
import dev.midcourse.cli.exit.ExitCode;
import dev.midcourse.cli.exit.Failure;
import dev.midcourse.cli.input.CommonOptions;
import dev.midcourse.cli.screen.ErrorPrinter;
import dev.midcourse.cli.screen.ShellContext;
import dev.midcourse.cli.spec.Command;
import dev.midcourse.cli.spec.CommandSpec;
import dev.midcourse.cli.spec.Example;
import dev.midcourse.cli.spec.Operand;
import dev.midcourse.cli.spec.ParsedArguments;
import dev.midcourse.core.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Dismisses the alarms of runs. */
public final class DismissCommand extends Command {
  public DismissCommand() {
    super(
        new CommandSpec(
            "dismiss",
            CommandSpec.Group.RUNS,
            "dismiss the alarm of runs: no activity, or a failure",
            """
            The run no longer needs attention for that reason; it goes on as before. A question needs an \
            answer and a review needs a verdict: these cannot be dismissed.
            """,
            List.of(new Operand("RUN", Operand.Count.SEVERAL, Operand.Kind.RUN)),
            List.of(CommonOptions.JSON),
            List.of(new Example("midcourse dismiss fix", "dismiss the alarm of run fix"))));
  }

  @Override
  public ExitCode run(ParsedArguments arguments, ShellContext shell) {
    HubClient hub = new HubStarter(shell).client();
    List<JsonValue> dismissed = new ArrayList<>();
    Optional<Failure> failure = Optional.empty();
    for (String named : arguments.operands()) {
      try {
        RunInfo run =
            new RunInfo(hub.post(CommonOptions.run(named) + "/dismiss", JsonValue.Obj.EMPTY));
        dismissed.add(run.json());
        if (!arguments.has(CommonOptions.JSON)) {
          shell.page().line(run.id() + ": alarm dismissed");
        }
      } catch (Failure e) {
        ErrorPrinter.print(shell, e);
        failure = Optional.of(e);
      }
    }
    if (arguments.has(CommonOptions.JSON)) {
      CommonOptions.print(shell, new JsonValue.Arr(dismissed));
    }
    return failure.map(Failure::code).orElse(ExitCode.DONE);
  }
}
