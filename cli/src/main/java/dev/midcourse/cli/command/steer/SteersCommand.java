package dev.midcourse.cli.command.steer;

import dev.midcourse.cli.client.HubClient;
import dev.midcourse.cli.client.HubStarter;
import dev.midcourse.cli.client.ReceiptInfo;
import dev.midcourse.cli.exit.ExitCode;
import dev.midcourse.cli.input.CommonOptions;
import dev.midcourse.cli.screen.DurationText;
import dev.midcourse.cli.screen.ShellContext;
import dev.midcourse.cli.screen.Table;
import dev.midcourse.cli.screen.Table.Cell;
import dev.midcourse.cli.screen.Table.Column;
import dev.midcourse.cli.screen.Table.Kind;
import dev.midcourse.cli.screen.TextColor;
import dev.midcourse.cli.spec.Command;
import dev.midcourse.cli.spec.CommandSpec;
import dev.midcourse.cli.spec.Example;
import dev.midcourse.cli.spec.OptionSpec;
import dev.midcourse.cli.spec.ParsedArguments;
import dev.midcourse.core.json.JsonValue;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Lists the steers of a run. */
public final class SteersCommand extends Command {
  private static final OptionSpec OPEN =
      OptionSpec.flag("--open", "only steers that have not ended");

  public SteersCommand() {
    super(
        new CommandSpec(
            "steers",
            CommandSpec.Group.STEERS,
            "list the steers of a run",
            "",
            List.of(CommonOptions.RUN),
            List.of(OPEN, CommonOptions.QUIET, CommonOptions.JSON),
            List.of(
                new Example(
                    "midcourse steers - --open", "list steers that are not delivered yet"))));
  }

  @Override
  public ExitCode run(ParsedArguments arguments, ShellContext shell) {
    HubClient hub = new HubStarter(shell).client();
    String run = arguments.operands().getFirst();
    List<ReceiptInfo> receipts =
        hub.get(CommonOptions.run(run) + "/steers").objects("steers").stream()
            .map(ReceiptInfo::new)
            .filter(receipt -> !arguments.has(OPEN) || !receipt.ended())
            .toList();
    if (arguments.has(CommonOptions.JSON)) {
      List<JsonValue> all = receipts.stream().map(receipt -> (JsonValue) receipt.json()).toList();
      CommonOptions.print(shell, new JsonValue.Arr(all));
    } else if (arguments.has(CommonOptions.QUIET)) {
      receipts.forEach(receipt -> shell.page().line(receipt.id()));
    } else if (receipts.isEmpty()) {
      shell.notes().line("No steers");
    } else {
      table(receipts, shell);
    }
    return ExitCode.DONE;
  }

  private static void table(List<ReceiptInfo> receipts, ShellContext shell) {
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
              .map(at -> DurationText.span(Duration.between(at, now)))
              .orElse("");
      table.row(
          List.of(
              Cell.of(receipt.shortId()),
              new Cell(receipt.rung(), TextColor.BLUE),
              Cell.of(receipt.text("ended").orElse("")),
              Cell.of(receipt.shownMode()),
              Cell.of(age),
              Cell.of(receipt.steerText())));
    }
    table.print(shell.page());
  }
}
