package dev.midcourse.cli.command.run;

import dev.midcourse.cli.client.HubClient;
import dev.midcourse.cli.exit.ExitCode;
import dev.midcourse.cli.input.CommonOptions;
import dev.midcourse.cli.screen.ShellContext;
import dev.midcourse.cli.spec.Command;
import dev.midcourse.cli.spec.CommandSpec;
import dev.midcourse.cli.spec.Example;
import dev.midcourse.cli.spec.ParsedArguments;
import dev.midcourse.core.json.JsonValue;
import java.util.List;

/** Puts git files aside that were tampered with, in the checkout of a run and in its clone. */
public final class RepairCommand extends Command {

  public RepairCommand() {
    super(
        new CommandSpec(
            "repair",
            CommandSpec.Group.RUNS,
            "put tampered git files of a checkout aside",
            """
            For a run whose changes or completion were refused because a git file was tampered \
            with. Each such file is moved to midcourse/aside in the clone's git folder and \
            replaced by the file that git writes. Commits that were taken over stay.
            """,
            List.of(CommonOptions.RUN),
            List.of(CommonOptions.JSON),
            List.of(new Example("midcourse repair fix", "repair checkout and clone of this run"))));
  }

  @Override
  public ExitCode run(ParsedArguments arguments, ShellContext shell) {
    String path = CommonOptions.run(arguments.operands().getFirst());
    JsonValue.Obj answer = HubClient.of(shell).post(path + "/repair", JsonValue.Obj.EMPTY);
    if (arguments.has(CommonOptions.JSON)) {
      CommonOptions.print(shell, answer);
      return ExitCode.DONE;
    }
    List<JsonValue> repaired =
        answer.get("repaired").orElse(new JsonValue.Null()) instanceof JsonValue.Arr(var items)
            ? items
            : List.of();
    for (JsonValue what : repaired) {
      shell.page().foreign(what instanceof JsonValue.Str(String text) ? text : what.toString());
    }
    if (repaired.isEmpty()) {
      shell.page().line("Nothing to repair");
    }
    return ExitCode.DONE;
  }
}
