package dev.midcourse.cli.command;

import dev.midcourse.cli.client.HubStarter;
import dev.midcourse.cli.exit.ExitCode;
import dev.midcourse.cli.input.CommonOptions;
import dev.midcourse.cli.screen.ShellContext;
import dev.midcourse.cli.screen.Table;
import dev.midcourse.cli.screen.Table.Cell;
import dev.midcourse.cli.screen.Table.Column;
import dev.midcourse.cli.screen.Table.Kind;
import dev.midcourse.cli.screen.TextColor;
import dev.midcourse.cli.spec.Command;
import dev.midcourse.cli.spec.CommandSpec;
import dev.midcourse.cli.spec.ParsedArguments;
import dev.midcourse.core.json.JsonValue;
import java.util.ArrayList;
import java.util.List;

/** Lists the workers and their queues. */
final class WorkersCommand extends Command {
  WorkersCommand() {
    super(
        new CommandSpec(
            "workers",
            CommandSpec.Group.HUB,
            "list workers with their running and queued runs",
            "A worker takes runs in order, by default one at a time.",
            List.of(),
            List.of(CommonOptions.JSON),
            List.of()));
  }

  @Override
  public ExitCode run(ParsedArguments arguments, ShellContext shell) {
    List<JsonValue.Obj> workers = new HubStarter(shell).client().get("/workers").objects("workers");
    if (arguments.has(CommonOptions.JSON)) {
      CommonOptions.print(shell, new JsonValue.Arr(new ArrayList<>(workers)));
      return ExitCode.DONE;
    }
    if (workers.isEmpty()) {
      shell.notes().line("No workers. A run names its worker: midcourse run --worker NAME");
      return ExitCode.DONE;
    }
    Table table =
        new Table(
            List.of(
                Column.whole("WORKER"),
                new Column("MAX", Kind.NUMBER, 0),
                new Column("RUNNING", Kind.NUMBER, 0),
                new Column("QUEUED", Kind.NUMBER, 0),
                Column.shrinks("SANDBOX")));
    for (JsonValue.Obj worker : workers) {
      table.row(
          List.of(
              Cell.of(worker.text("name").orElse("")),
              Cell.of(worker.text("at_once").orElse("")),
              Cell.of(worker.text("running").orElse("")),
              Cell.of(worker.text("queued").orElse("")),
              sandbox(worker.object("sandbox"))));
    }
    table.print(shell.page());
    return ExitCode.DONE;
  }

  /**
   * Returns the sandbox of the worker's agents and its tool, or the reason why it cannot be
   * created.
   */
  private static Cell sandbox(JsonValue.Obj sandbox) {
    String found = sandbox.text("found").orElse("");
    return sandbox
        .text("image")
        .or(() -> sandbox.text("kind"))
        .map(what ->
            sandbox.is("works")
                ? Cell.of(
                    what + ", " + found + (sandbox.is("network") ? ", network on" : ", no network"))
                : new Cell(what + " does not work: " + found, TextColor.RED))
        .orElseGet(() -> Cell.of(""));
  }
}
