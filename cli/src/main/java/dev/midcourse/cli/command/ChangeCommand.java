package dev.midcourse.cli.command;

import dev.midcourse.cli.client.Hub;
import dev.midcourse.cli.client.ReceiptInfo;
import dev.midcourse.cli.exit.ExitCode;
import dev.midcourse.cli.screen.Shell;
import dev.midcourse.cli.spec.Arguments;
import dev.midcourse.cli.spec.Example;
import dev.midcourse.cli.spec.Operand;
import dev.midcourse.cli.spec.Option;
import dev.midcourse.cli.spec.Spec;
import dev.midcourse.core.json.JsonValue;
import java.io.IOException;
import java.util.List;

/** Changes a steer that is not in the conversation yet: takes it back, rewrites or promotes it. */
final class ChangeCommand implements Command {
  private static final Option REASON = Option.value("--reason", "TEXT", "why, for the receipt");

  private static final String TOO_LATE =
      "Possible as long as the steer is not in the conversation; afterwards it is refused.";

  static final Spec WITHDRAW =
      new Spec(
          "withdraw",
          Spec.Group.STEERS,
          "STEER [--reason TEXT] [--json]",
          "take a steer back",
          TOO_LATE,
          List.of(Common.STEER),
          List.of(REASON, Common.JSON),
          List.of(new Example("midcourse withdraw 3f2a", "never mind")));

  static final Spec EDIT =
      new Spec(
          "edit",
          Spec.Group.STEERS,
          "STEER [TEXT] [--json]",
          "change the text of a steer",
          TOO_LATE + " Without TEXT an editor opens; - reads it from standard input.",
          List.of(Common.STEER, new Operand("TEXT", Operand.Count.ANY, Operand.Kind.TEXT)),
          List.of(Common.JSON),
          List.of(new Example("midcourse edit 3f2a use the new client", "say it better")));

  static final Spec PROMOTE =
      new Spec(
          "promote",
          Spec.Group.STEERS,
          "STEER [--json]",
          "make a follow-up a steer for the running turn",
          TOO_LATE,
          List.of(Common.STEER),
          List.of(Common.JSON),
          List.of(new Example("midcourse promote 3f2a", "not later: now")));

  private final Spec spec;

  ChangeCommand(Spec spec) {
    this.spec = spec;
  }

  @Override
  public Spec spec() {
    return spec;
  }

  @Override
  public ExitCode run(Arguments arguments, Shell shell) throws IOException, InterruptedException {
    Hub hub = Hub.at(shell.data());
    ReceiptInfo receipt =
        new ReceiptInfo(
            change(hub, Common.steer(arguments.operands().getFirst()), arguments, shell));
    if (arguments.has(Common.JSON)) {
      Common.print(shell, receipt.json());
    } else {
      shell.page().line("steer " + receipt.shortId() + " to " + receipt.run() + ": " + done());
    }
    return ExitCode.DONE;
  }

  private JsonValue.Obj change(Hub hub, String path, Arguments arguments, Shell shell)
      throws IOException, InterruptedException {
    return switch (spec.name()) {
      case "withdraw" ->
          hub.post(path + "/withdraw", JsonValue.Obj.EMPTY.with("reason", arguments.value(REASON)));
      case "edit" -> {
        String before =
            arguments.text(1).isPresent() ? "" : new ReceiptInfo(hub.get(path)).steerText();
        String text = new Text(shell).of(arguments.text(1), "steer", before);
        yield hub.patch(path, JsonValue.Obj.EMPTY.with("text", text));
      }
      default -> hub.post(path + "/promote", JsonValue.Obj.EMPTY);
    };
  }

  private String done() {
    return switch (spec.name()) {
      case "withdraw" -> "withdrawn";
      case "edit" -> "edited";
      default -> "promoted";
    };
  }
}
