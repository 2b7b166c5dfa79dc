package dev.midcourse.cli.command;

import dev.midcourse.cli.client.HubStarter;
import dev.midcourse.cli.exit.ExitCode;
import dev.midcourse.cli.input.CommonOptions;
import dev.midcourse.cli.screen.ShellContext;
import dev.midcourse.cli.screen.Table;
import dev.midcourse.cli.screen.Table.Cell;
import dev.midcourse.cli.screen.Table.Column;
import dev.midcourse.cli.spec.Command;
import dev.midcourse.cli.spec.CommandSpec;
import dev.midcourse.cli.spec.ParsedArguments;
import dev.midcourse.core.json.JsonValue;
import java.util.ArrayList;
import java.util.List;

/** Lists the groups and their permissions. */
final class GroupsCommand extends Command {
  GroupsCommand() {
    super(
        new CommandSpec(
            "groups",
            CommandSpec.Group.HUB,
            "list groups with their roles and the workers they lead",
            "Groups are declared in midcourse.toml. Requests of other groups are rejected.",
            List.of(),
            List.of(CommonOptions.JSON),
            List.of()));
  }

  @Override
  public ExitCode run(ParsedArguments arguments, ShellContext shell) {
    List<JsonValue.Obj> groups = new HubStarter(shell).client().get("/groups").objects("groups");
    if (arguments.has(CommonOptions.JSON)) {
      CommonOptions.print(shell, new JsonValue.Arr(new ArrayList<>(groups)));
      return ExitCode.DONE;
    }
    Table table =
        new Table(List.of(Column.whole("GROUP"), Column.whole("ROLE"), Column.whole("LEADS")));
    for (JsonValue.Obj group : groups) {
      table.row(
          List.of(
              Cell.of(group.text("name").orElse("")),
              Cell.of(group.text("role").orElse("")),
              Cell.of(String.join(", ", group.texts("workers")))));
    }
    table.print(shell.page());
    return ExitCode.DONE;
  }
}
