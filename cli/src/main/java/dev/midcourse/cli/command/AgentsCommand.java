package dev.midcourse.cli.command;

import dev.midcourse.cli.client.HubClient;
import dev.midcourse.cli.client.HubStarter;
import dev.midcourse.cli.exit.ExitCode;
import dev.midcourse.cli.screen.ShellContext;
import dev.midcourse.cli.screen.Table;
import dev.midcourse.cli.screen.Table.Cell;
import dev.midcourse.cli.screen.Table.Column;
import dev.midcourse.cli.screen.TextColor;
import dev.midcourse.cli.spec.CommandSpec;
import dev.midcourse.cli.spec.Example;
import dev.midcourse.cli.spec.OptionSpec;
import dev.midcourse.cli.spec.ParsedArguments;
import dev.midcourse.core.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Lists the agents that were found, their versions and what each can do. */
final class AgentsCommand implements Command {
  private static final OptionSpec ALL =
      OptionSpec.flag("--all", "also those that were not found").or('a');

  static final CommandSpec SPEC =
      new CommandSpec(
          "agents",
          CommandSpec.Group.HUB,
          "[--all] [--json]",
          "list the agents there are, and what each can do",
          "",
          List.of(),
          List.of(ALL, CommonOptions.JSON),
          List.of(new Example("midcourse agents --all", "also how to get the others")));

  @Override
  public CommandSpec spec() {
    return SPEC;
  }

  @Override
  public ExitCode run(ParsedArguments arguments, ShellContext shell) throws InterruptedException {
    HubClient hub = new HubStarter(shell).ensure();
    List<JsonValue.Obj> agents =
        hub.get("/agents").objects("agents").stream()
            .filter(agent -> agents(arguments) || agent.is("found"))
            .toList();
    if (arguments.has(CommonOptions.JSON)) {
      CommonOptions.print(shell, new JsonValue.Arr(new ArrayList<>(agents)));
      return ExitCode.DONE;
    }
    Table table =
        new Table(List.of(Column.whole("AGENT"), Column.whole("VERSION"), Column.shrinks("CAN")));
    for (JsonValue.Obj agent : agents) {
      boolean found = agent.is("found");
      table.row(
          List.of(
              Cell.of(agent.text("name").orElse("")),
              found
                  ? Cell.of(agent.text("version").orElse(""))
                  : new Cell("not found", TextColor.YELLOW),
              Cell.of(found ? abilities(agent) : agent.text("hint").orElse(""))));
    }
    table.print(shell.page());
    return ExitCode.DONE;
  }

  private static boolean agents(ParsedArguments arguments) {
    return arguments.has(ALL) || arguments.has(CommonOptions.JSON);
  }

  private static String abilities(JsonValue.Obj agent) {
    List<String> can = new ArrayList<>();
    for (Map.Entry<String, JsonValue> ability : agent.object("capabilities").fields().entrySet()) {
      if (ability.getValue() instanceof JsonValue.Bool(boolean able) && able) {
        can.add(ability.getKey().replace('_', ' '));
      }
    }
    return String.join(", ", can);
  }
}
