package dev.midcourse.cli.command;

import dev.midcourse.cli.client.HubClient;
import dev.midcourse.cli.client.HubStarter;
import dev.midcourse.cli.exit.ExitCode;
import dev.midcourse.cli.input.CommonOptions;
import dev.midcourse.cli.screen.KeyValueTable;
import dev.midcourse.cli.screen.ShellContext;
import dev.midcourse.cli.screen.Table;
import dev.midcourse.cli.screen.Table.Cell;
import dev.midcourse.cli.screen.Table.Column;
import dev.midcourse.cli.screen.TerminalOutput;
import dev.midcourse.cli.screen.TextColor;
import dev.midcourse.cli.screen.TextSanitizer;
import dev.midcourse.cli.spec.Command;
import dev.midcourse.cli.spec.CommandSpec;
import dev.midcourse.cli.spec.Example;
import dev.midcourse.cli.spec.OptionSpec;
import dev.midcourse.cli.spec.ParsedArguments;
import dev.midcourse.core.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Lists the agents, their versions and their capabilities. */
final class AgentsCommand extends Command {
  private static final OptionSpec ALL =
      OptionSpec.flag("--all", "include agents that are not installed").or('a');

  AgentsCommand() {
    super(
        new CommandSpec(
            "agents",
            CommandSpec.Group.HUB,
            "list installed agents and their capabilities",
            """
            STEER: takes steers during a turn; otherwise they open the next turn. INTERRUPT: can stop \
            its turn and continue with another. RESUME: can continue its session in a new process. \
            COST: reports its cost. --verbose lists all capabilities and the path of each program.
            """,
            List.of(),
            List.of(ALL, CommonOptions.JSON),
            List.of(
                new Example("midcourse agents --all", "include how to install the others"),
                new Example("midcourse agents --verbose", "list all capabilities"))));
  }

  @Override
  public ExitCode run(ParsedArguments arguments, ShellContext shell) throws InterruptedException {
    HubClient hub = new HubStarter(shell).ensure();
    boolean all = arguments.has(ALL);
    List<JsonValue.Obj> agents =
        hub.get("/agents").objects("agents").stream()
            .filter(agent ->
                all
                    || arguments.has(CommonOptions.JSON)
                    || agent.is("found")
                    || agent.text("problem").isPresent())
            .toList();
    if (arguments.has(CommonOptions.JSON)) {
      CommonOptions.print(shell, new JsonValue.Arr(new ArrayList<>(agents)));
    } else if (arguments.has(CommandSpec.VERBOSE)) {
      agents.forEach(agent -> details(agent, shell.page()));
    } else {
      table(agents, all, shell.page());
    }
    return ExitCode.DONE;
  }

  /**
   * Prints one column for each capability that matters for the choice of an agent, and the install
   * command if requested.
   */
  private static void table(List<JsonValue.Obj> agents, boolean withInstall, TerminalOutput page) {
    List<Column> columns =
        new ArrayList<>(
            List.of(
                Column.whole("AGENT"),
                Column.whole("VERSION"),
                Column.whole("STEER"),
                Column.whole("INTERRUPT"),
                Column.whole("RESUME"),
                Column.whole("COST")));
    if (withInstall) {
      columns.add(Column.shrinks("INSTALL"));
    }
    Table table = new Table(columns);
    for (JsonValue.Obj agent : agents) {
      boolean found = agent.is("found");
      JsonValue.Obj can = agent.object("capabilities");
      List<Cell> cells = new ArrayList<>();
      cells.add(Cell.of(agent.text("name").orElse("")));
      cells.add(
          found
              ? Cell.of(agent.text("version").orElse(""))
              : new Cell(missing(agent), TextColor.YELLOW));
      for (String name : List.of("mid_turn_steer", "interrupt", "resume", "reports_cost")) {
        cells.add(
            found && can.is(name)
                ? new Cell(page.glyphs().yes(), TextColor.GREEN)
                : new Cell(found ? page.glyphs().none() : "", TextColor.DIM));
      }
      if (withInstall) {
        cells.add(Cell.of(found ? "" : agent.text("hint").orElse("")));
      }
      table.row(cells);
    }
    table.print(page);
  }

  private static void details(JsonValue.Obj agent, TerminalOutput page) {
    String version = agent.is("found") ? agent.text("version").orElse("") : missing(agent);
    page.line(
        page.paint(
            TextColor.BOLD, TextSanitizer.line(agent.text("name").orElse("") + " " + version)));
    KeyValueTable facts = new KeyValueTable(page);
    if (agent.is("found")) {
      agent.text("program").ifPresent(program -> facts.addWhole("  program", program));
      facts.addWhole("  capabilities", capabilities(agent));
    } else {
      agent.text("problem").ifPresent(problem -> facts.addWhole("  problem", problem));
      agent.text("hint").ifPresent(hint -> facts.addWhole("  install", hint));
    }
    facts.print();
  }

  private static String missing(JsonValue.Obj agent) {
    return agent.text("problem").isPresent() ? "does not work" : "not installed";
  }

  private static String capabilities(JsonValue.Obj agent) {
    List<String> names = new ArrayList<>();
    for (Map.Entry<String, JsonValue> capability :
        agent.object("capabilities").fields().entrySet()) {
      if (capability.getValue() instanceof JsonValue.Bool(boolean able) && able) {
        names.add(description(capability.getKey()));
      }
    }
    return names.isEmpty() ? "none" : String.join(", ", names);
  }

  /**
   * Returns the description of a capability; the name for a capability that this version does not
   * know.
   */
  private static String description(String capability) {
    return switch (capability) {
      case "mid_turn_steer" -> "steer during a turn";
      case "accepted_evidence" -> "confirms received messages";
      case "injected_evidence" -> "shows messages in the session";
      case "ignores_repeated_id" -> "ignores repeated messages";
      case "interrupt_ends_tools" -> "interrupt ends running tools";
      case "keeps_pending_on_interrupt" -> "keeps pending messages on interrupt";
      case "barrier" -> "read barrier";
      default -> capability.replace('_', ' ');
    };
  }
}
