package dev.midcourse.cli.command;

import dev.midcourse.cli.client.Hub;
import dev.midcourse.cli.exit.ExitCode;
import dev.midcourse.cli.screen.Shell;
import dev.midcourse.cli.screen.Table;
import dev.midcourse.cli.screen.Table.Cell;
import dev.midcourse.cli.screen.Table.Column;
import dev.midcourse.cli.spec.Arguments;
import dev.midcourse.cli.spec.Spec;
import dev.midcourse.core.json.JsonValue;
import java.util.ArrayList;
import java.util.List;

/** Lists who may ask for what. */
final class GroupsCommand implements Command {
  static final Spec SPEC =
      new Spec(
          "groups",
          Spec.Group.HUB,
          "[--json]",
          "list the groups, their roles and whom they lead",
          "Groups are declared in midcourse.toml; nobody else may ask for anything.",
          List.of(),
          List.of(Common.JSON),
          List.of());

  @Override
  public Spec spec() {
    return SPEC;
  }

  @Override
  public ExitCode run(Arguments arguments, Shell shell) {
    List<JsonValue.Obj> groups = Hub.at(shell.data()).get("/groups").objects("groups");
    if (arguments.has(Common.JSON)) {
      Common.print(shell, new JsonValue.Arr(new ArrayList<>(groups)));
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
