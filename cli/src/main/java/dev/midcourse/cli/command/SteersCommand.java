package dev.midcourse.cli.command;

import dev.midcourse.cli.client.Hub;
import dev.midcourse.cli.client.ReceiptInfo;
import dev.midcourse.cli.exit.ExitCode;
import dev.midcourse.cli.screen.Ago;
import dev.midcourse.cli.screen.Ink;
import dev.midcourse.cli.screen.Shell;
import dev.midcourse.cli.screen.Table;
import dev.midcourse.cli.screen.Table.Cell;
import dev.midcourse.cli.screen.Table.Column;
import dev.midcourse.cli.screen.Table.Kind;
import dev.midcourse.cli.spec.Arguments;
import dev.midcourse.cli.spec.Example;
import dev.midcourse.cli.spec.Option;
import dev.midcourse.cli.spec.Spec;
import dev.midcourse.core.json.JsonValue;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Lists the steers of a run. */
final class SteersCommand implements Command {
  private static final Option OPEN = Option.flag("--open", "only those that have not ended");

  static final Spec SPEC =
      new Spec(
          "steers",
          Spec.Group.STEERS,
          "RUN [--open] [--quiet] [--json]",
          "list the steers of a run",
          "",
          List.of(Common.RUN),
          List.of(OPEN, Common.QUIET, Common.JSON),
          List.of(new Example("midcourse steers - --open", "what is still on its way")));

  @Override
  public Spec spec() {
    return SPEC;
  }

  @Override
  public ExitCode run(Arguments arguments, Shell shell) {
    Hub hub = Hub.at(shell.data());
    String run = arguments.operands().getFirst();
    List<ReceiptInfo> receipts =
        hub.get(Common.run(run) + "/steers").objects("steers").stream()
            .map(ReceiptInfo::new)
            .filter(receipt -> !arguments.has(OPEN) || !receipt.ended())
            .toList();
    if (arguments.has(Common.JSON)) {
      List<JsonValue> all = receipts.stream().map(receipt -> (JsonValue) receipt.json()).toList();
      Common.print(shell, new JsonValue.Arr(all));
    } else if (arguments.has(Common.QUIET)) {
      receipts.forEach(receipt -> shell.page().line(receipt.id()));
    } else if (receipts.isEmpty()) {
      shell.notes().line("no steers");
    } else {
      table(receipts, shell);
    }
    return ExitCode.DONE;
  }

  private static void table(List<ReceiptInfo> receipts, Shell shell) {
    Instant now = shell.clock().instant();
    Table table =
        new Table(
            List.of(
                Column.whole("STEER"),
                Column.whole("RUNG"),
                Column.whole("ENDED"),
                new Column("MODE", Kind.WHOLE, 1),
                new Column("AGE", Kind.NUMBER, 0),
                Column.shrinks("TEXT")));
    for (ReceiptInfo receipt : receipts) {
      String age =
          receipt.claims().stream()
              .findFirst()
              .flatMap(ReceiptInfo.Claim::at)
              .map(at -> Ago.span(Duration.between(at, now)))
              .orElse("");
      table.row(
          List.of(
              Cell.of(receipt.shortId()),
              new Cell(receipt.rung(), Ink.BLUE),
              Cell.of(receipt.text("ended").orElse("")),
              Cell.of(receipt.mode()),
              Cell.of(age),
              Cell.of(receipt.steerText())));
    }
    table.print(shell.page());
  }
}
