package dev.midcourse.cli.command.run;

import dev.midcourse.cli.client.HubClient;
import dev.midcourse.cli.client.HubStarter;
import dev.midcourse.cli.client.RunInfo;
import dev.midcourse.cli.exit.ExitCode;
import dev.midcourse.cli.exit.Failure;
import dev.midcourse.cli.input.CommonOptions;
import dev.midcourse.cli.screen.ShellContext;
import dev.midcourse.cli.screen.TerminalOutput;
import dev.midcourse.cli.spec.Command;
import dev.midcourse.cli.spec.CommandSpec;
import dev.midcourse.cli.spec.Example;
import dev.midcourse.cli.spec.Operand;
import dev.midcourse.cli.spec.OptionSpec;
import dev.midcourse.cli.spec.ParsedArguments;
import dev.midcourse.core.json.JsonValue;
import java.util.List;
import java.util.Optional;

/** Accepts the work of a run that waits for a review, or returns it to the agent. */
public final class ReviewCommand extends Command {
  private static final OptionSpec ACCEPT = OptionSpec.flag("--accept", "accept the work");
  private static final OptionSpec REWORK =
      OptionSpec.flag("--rework", "request changes; TEXT says which");

  public ReviewCommand() {
    super(
        new CommandSpec(
                "review",
                CommandSpec.Group.RUNS,
                "print finished work, accept it or request changes",
                """
                Without --accept or --rework it prints the result and changes nothing. --rework \
                starts a new run that continues in the same session.
                """,
                List.of(
                    CommonOptions.RUN, new Operand("TEXT", Operand.Count.ANY, Operand.Kind.TEXT)),
                List.of(ACCEPT, REWORK, CommonOptions.JSON),
                List.of(
                    new Example("midcourse review fix", "print the result"),
                    new Example("midcourse review fix --accept", "accept the work"),
                    new Example(
                        "midcourse review fix --rework 'the test is still flaky'",
                        "request changes")))
            .withAlternatives(ACCEPT, REWORK));
  }

  @Override
  public ExitCode run(ParsedArguments arguments, ShellContext shell) {
    Optional<String> text = arguments.text(1);
    if (arguments.has(REWORK) && text.isEmpty()) {
      throw Failure.usage(
          "review: --rework requires TEXT",
          "for example: midcourse review "
              + arguments.operands().getFirst()
              + " --rework 'fix the failing test'");
    }
    HubClient hub = new HubStarter(shell).client();
    String path = CommonOptions.run(arguments.operands().getFirst());
    RunInfo run =
        arguments.has(ACCEPT) || arguments.has(REWORK)
            ? new RunInfo(
                hub.post(
                    path + "/review",
                    JsonValue.Obj.EMPTY
                        .with("verdict", arguments.has(ACCEPT) ? "accept" : "rework")
                        .with("text", text)))
            : new RunInfo(hub.get(path));
    if (arguments.has(CommonOptions.JSON)) {
      CommonOptions.print(shell, run.json());
    } else {
      tell(run, arguments.has(ACCEPT) || arguments.has(REWORK), shell.page());
    }
    return ExitCode.DONE;
  }

  private static void tell(RunInfo run, boolean decided, TerminalOutput page) {
    String follows = run.text("parent_run_id").map(id -> ", reworks " + id).orElse("");
    page.line(run.id() + ": " + run.state() + follows);
    if (!decided) {
      page.foreign(run.text("result").orElse("no result yet"));
    }
  }
}
