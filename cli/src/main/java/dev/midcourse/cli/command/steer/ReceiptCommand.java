package dev.midcourse.cli.command.steer;

import dev.midcourse.cli.client.HubClient;
import dev.midcourse.cli.client.HubStarter;
import dev.midcourse.cli.client.ReceiptInfo;
import dev.midcourse.cli.exit.ExitCode;
import dev.midcourse.cli.format.ReceiptPrinter;
import dev.midcourse.cli.input.CommonOptions;
import dev.midcourse.cli.live.ReceiptWaiter;
import dev.midcourse.cli.screen.KeyValueTable;
import dev.midcourse.cli.screen.ShellContext;
import dev.midcourse.cli.spec.Command;
import dev.midcourse.cli.spec.CommandSpec;
import dev.midcourse.cli.spec.Example;
import dev.midcourse.cli.spec.ParsedArguments;
import dev.midcourse.core.steer.Rung;
import java.util.List;

/** Prints the receipt of a steer: the rungs that are proven. */
public final class ReceiptCommand extends Command {
  public ReceiptCommand() {
    super(
        new CommandSpec(
            "receipt",
            CommandSpec.Group.STEERS,
            "show the receipt of a steer: how far its delivery is proven",
            """
            The rungs are stored, offered, accepted, injected, seen and answered. A rung is \
            claimed only with evidence; without evidence from the agent it stays unclaimed.
            """,
            List.of(CommonOptions.STEER),
            List.of(ReceiptWaiter.WAIT, CommonOptions.TIMEOUT, CommonOptions.JSON),
            List.of(
                new Example("midcourse receipt 3f2a", "by the start of its id"),
                new Example(
                    "midcourse receipt 3f2a --wait answered", "wait for the end of its turn"))));
  }

  @Override
  public ExitCode run(ParsedArguments arguments, ShellContext shell) {
    ReceiptWaiter waiting = ReceiptWaiter.of(arguments, shell);
    HubClient hub = new HubStarter(shell).client();
    ReceiptInfo receipt =
        new ReceiptInfo(hub.get(CommonOptions.steer(arguments.operands().getFirst())));
    if (!arguments.has(CommonOptions.JSON)) {
      head(receipt, shell);
    }
    if (waiting.asked()) {
      return waiting.follow(hub, receipt, Rung.ANSWERED);
    }
    show(receipt, arguments.has(CommonOptions.JSON), shell);
    return ExitCode.DONE;
  }

  static void show(ReceiptInfo receipt, boolean json, ShellContext shell) {
    if (json) {
      CommonOptions.print(shell, receipt.json());
    } else {
      new ReceiptPrinter(shell.page()).tell(receipt);
    }
  }

  static void head(ReceiptInfo receipt, ShellContext shell) {
    KeyValueTable facts = new KeyValueTable(shell.page());
    facts.add("steer", receipt.id());
    facts.add("run", receipt.run());
    String delivered =
        receipt
            .text("delivered_mode")
            .filter(as -> !as.equals(receipt.mode()))
            .map(as -> ", delivered as " + as.replace('_', '-'))
            .orElse("");
    facts.add("mode", receipt.shownMode() + delivered);
    facts.add("text", receipt.steerText());
    receipt.text("carried_to").ifPresent(to -> facts.add("moved to", to));
    receipt.text("supersedes").ifPresent(other -> facts.add("replaces", other));
    facts.print();
  }
}
