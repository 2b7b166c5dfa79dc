package dev.midcourse.cli.command.run;

import dev.midcourse.cli.client.HubClient;
import dev.midcourse.cli.exit.ExitCode;
import dev.midcourse.cli.format.CostText;
import dev.midcourse.cli.input.CommonOptions;
import dev.midcourse.cli.screen.ShellContext;
import dev.midcourse.cli.spec.Command;
import dev.midcourse.cli.spec.CommandSpec;
import dev.midcourse.cli.spec.Example;
import dev.midcourse.cli.spec.OptionSpec;
import dev.midcourse.cli.spec.ParsedArguments;
import dev.midcourse.core.json.JsonValue;
import java.util.List;

/** Deletes runs that ended long ago. */
public final class PruneCommand extends Command {
  private static final String DEFAULT = "30d";
  private static final OptionSpec OLDER =
      OptionSpec.value(
          "--older-than",
          "TIME",
          "delete runs that ended longer ago than this (default " + DEFAULT + ")");

  public PruneCommand() {
    super(
        new CommandSpec(
            "prune",
            CommandSpec.Group.HUB,
            "delete old runs with their events and files",
            "",
            List.of(),
            List.of(OLDER, CommonOptions.JSON),
            List.of(new Example("midcourse prune --older-than 7d", "keep the last week"))));
  }

  @Override
  public ExitCode run(ParsedArguments arguments, ShellContext shell) {
    CommonOptions.duration(arguments, OLDER);
    JsonValue.Obj answer =
        HubClient.at(shell.data())
            .post(
                "/prune",
                JsonValue.Obj.EMPTY.with("older_than", arguments.value(OLDER).orElse(DEFAULT)));
    if (arguments.has(CommonOptions.JSON)) {
      CommonOptions.print(shell, answer);
    } else {
      long pruned = answer.number("pruned").orElse(0L);
      shell.page().line("Deleted " + CostText.count(pruned) + (pruned == 1 ? " run" : " runs"));
    }
    return ExitCode.DONE;
  }
}
