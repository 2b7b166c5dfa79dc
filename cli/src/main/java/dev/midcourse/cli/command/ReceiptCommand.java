package dev.midcourse.cli.command;

import dev.midcourse.cli.client.Hub;
import dev.midcourse.cli.client.ReceiptInfo;
import dev.midcourse.cli.exit.ExitCode;
import dev.midcourse.cli.screen.Shell;
import dev.midcourse.cli.spec.Arguments;
import dev.midcourse.cli.spec.Example;
import dev.midcourse.cli.spec.Spec;
import dev.midcourse.cli.story.Climb;
import dev.midcourse.core.steer.Rung;
import java.util.List;

/** Shows how far a steer provably got. */
final class ReceiptCommand implements Command {
  static final Spec SPEC =
      new Spec(
          "receipt",
          Spec.Group.STEERS,
          "STEER [--wait RUNG] [--timeout TIME] [--json]",
          "show how far a steer provably got",
          """
          The rungs are stored, offered, accepted, injected, seen and answered. Each is claimed on \
          evidence only; one that the agent gives no evidence for stays unclaimed.
          """,
          List.of(Common.STEER),
          List.of(Waiting.WAIT, Common.TIMEOUT, Common.JSON),
          List.of(
              new Example("midcourse receipt 3f2a", "by the beginning of its id"),
              new Example(
                  "midcourse receipt 3f2a --wait answered", "wait for the end of its turn")));

  @Override
  public Spec spec() {
    return SPEC;
  }

  @Override
  public ExitCode run(Arguments arguments, Shell shell) {
    Waiting waiting = Waiting.of(arguments, shell);
    Hub hub = Hub.at(shell.data());
    ReceiptInfo receipt = new ReceiptInfo(hub.get(Common.steer(arguments.operands().getFirst())));
    if (!arguments.has(Common.JSON)) {
      head(receipt, shell);
    }
    if (waiting.asked()) {
      return waiting.follow(hub, receipt, Rung.ANSWERED);
    }
    show(receipt, arguments.has(Common.JSON), shell);
    return ExitCode.DONE;
  }

  static void show(ReceiptInfo receipt, boolean json, Shell shell) {
    if (json) {
      Common.print(shell, receipt.json());
    } else {
      new Climb(shell.page()).tell(receipt);
    }
  }

  static void head(ReceiptInfo receipt, Shell shell) {
    Facts facts = new Facts(shell.page());
    facts.add("steer", receipt.id());
    facts.add("run", receipt.run());
    String delivered =
        receipt
            .text("delivered_mode")
            .filter(as -> !as.equals(receipt.mode()))
            .map(as -> ", delivered as " + as)
            .orElse("");
    facts.add("mode", receipt.mode() + delivered);
    facts.add("text", receipt.steerText());
    receipt.text("carried_to").ifPresent(to -> facts.add("carried to", to));
    receipt.text("supersedes").ifPresent(other -> facts.add("replaces", other));
    facts.print();
  }
}
