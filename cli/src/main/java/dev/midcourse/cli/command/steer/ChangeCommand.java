package dev.midcourse.cli.command.steer;

import dev.midcourse.cli.client.HubClient;
import dev.midcourse.cli.client.HubStarter;
import dev.midcourse.cli.client.ReceiptInfo;
import dev.midcourse.cli.exit.ExitCode;
import dev.midcourse.cli.input.CommonOptions;
import dev.midcourse.cli.input.TextSource;
import dev.midcourse.cli.screen.ShellContext;
import dev.midcourse.cli.spec.Command;
import dev.midcourse.cli.spec.CommandSpec;
import dev.midcourse.cli.spec.Example;
import dev.midcourse.cli.spec.Operand;
import dev.midcourse.cli.spec.OptionSpec;
import dev.midcourse.cli.spec.ParsedArguments;
import dev.midcourse.core.json.JsonValue;
import java.io.IOException;
import java.util.List;

/** Withdraws, edits or promotes a steer that has not reached the session. */
public final class ChangeCommand extends Command {
  private static final OptionSpec REASON =
      OptionSpec.value("--reason", "TEXT", "reason, shown in the receipt");

  private static final String TOO_LATE =
      "Possible only until the steer is in the session; after that it is refused.";

  public static final CommandSpec WITHDRAW =
      new CommandSpec(
          "withdraw",
          CommandSpec.Group.STEERS,
          "withdraw a steer",
          TOO_LATE,
          List.of(CommonOptions.STEER),
          List.of(REASON, CommonOptions.JSON),
          List.of(new Example("midcourse withdraw 3f2a", "by the start of its id")));

  public static final CommandSpec EDIT =
      new CommandSpec(
          "edit",
          CommandSpec.Group.STEERS,
          "edit the text of a steer",
          TOO_LATE + " Without TEXT an editor opens; - reads standard input.",
          List.of(CommonOptions.STEER, new Operand("TEXT", Operand.Count.ANY, Operand.Kind.TEXT)),
          List.of(CommonOptions.JSON),
          List.of(new Example("midcourse edit 3f2a use the new client", "replace its text")));

  public static final CommandSpec PROMOTE =
      new CommandSpec(
          "promote",
          CommandSpec.Group.STEERS,
          "deliver a follow-up in the running turn instead",
          TOO_LATE,
          List.of(CommonOptions.STEER),
          List.of(CommonOptions.JSON),
          List.of(new Example("midcourse promote 3f2a", "do not wait for the end of the turn")));

  public ChangeCommand(CommandSpec spec) {
    super(spec);
  }

  @Override
  public ExitCode run(ParsedArguments arguments, ShellContext shell)
      throws IOException, InterruptedException {
    HubClient hub = new HubStarter(shell).client();
    ReceiptInfo receipt =
        new ReceiptInfo(
            change(hub, CommonOptions.steer(arguments.operands().getFirst()), arguments, shell));
    if (arguments.has(CommonOptions.JSON)) {
      CommonOptions.print(shell, receipt.json());
    } else {
      shell.page().line("steer " + receipt.shortId() + " to " + receipt.run() + ": " + done());
    }
    return ExitCode.DONE;
  }

  private JsonValue.Obj change(
      HubClient hub, String path, ParsedArguments arguments, ShellContext shell)
      throws IOException, InterruptedException {
    return switch (spec().name()) {
      case "withdraw" ->
          hub.post(path + "/withdraw", JsonValue.Obj.EMPTY.with("reason", arguments.value(REASON)));
      case "edit" -> {
        String before =
            arguments.text(1).isPresent() ? "" : new ReceiptInfo(hub.get(path)).steerText();
        String text = new TextSource(shell).of(arguments.text(1), "steer", before);
        yield hub.patch(path, JsonValue.Obj.EMPTY.with("text", text));
      }
      default -> hub.post(path + "/promote", JsonValue.Obj.EMPTY);
    };
  }

  private String done() {
    return switch (spec().name()) {
      case "withdraw" -> "withdrawn";
      case "edit" -> "edited";
      default -> "promoted";
    };
  }
}
