package dev.midcourse.cli.command.chat;

import dev.midcourse.cli.client.HubStarter;
import dev.midcourse.cli.exit.ExitCode;
import dev.midcourse.cli.screen.ShellContext;
import dev.midcourse.cli.spec.Command;
import dev.midcourse.cli.spec.CommandSpec;
import dev.midcourse.cli.spec.Example;
import dev.midcourse.cli.spec.Operand;
import dev.midcourse.cli.spec.ParsedArguments;
import java.util.List;

/** Wires a chat to a worker. */
public final class WireCommand extends Command {
  public WireCommand() {
    super(
        new CommandSpec(
            "wire",
            CommandSpec.Group.CHATS,
            "wire a chat to a worker, which then takes its messages",
            """
            Without options, a worker engages with every message of a direct chat, with mentions in a \
            group, and in threads where it was mentioned. A chat may have several workers. CHAT is an \
            id, a name or CHANNEL:ID.
            """,
            List.of(
                new Operand("CHAT", Operand.Count.ONE, Operand.Kind.CHAT),
                new Operand("WORKER", Operand.Count.ONE, Operand.Kind.WORKER)),
            WiringText.OPTIONS,
            List.of(
                new Example("midcourse wire family andy", "use the defaults for the chat"),
                new Example(
                    "midcourse wire family andy --pattern '(?i)^andy' --ignored accumulate",
                    "engage when a message begins with the name, and keep the others as context"))));
  }

  @Override
  public ExitCode run(ParsedArguments arguments, ShellContext shell) {
    Printed printed = new Printed(arguments, shell);
    printed.one(
        new HubStarter(shell)
            .client()
            .post(
                "/wirings",
                WiringText.fields(arguments)
                    .with("chat", arguments.operands().getFirst())
                    .with("worker", arguments.operands().getLast())),
        wiring ->
            printed.line(
                "Wired " + wiring.text("chat").orElse("") + " to " + WiringText.line(wiring)));
    return ExitCode.DONE;
  }
}
