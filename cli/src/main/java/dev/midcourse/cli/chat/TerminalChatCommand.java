package dev.midcourse.cli.chat;

import dev.midcourse.cli.client.HubStarter;
import dev.midcourse.cli.exit.ExitCode;
import dev.midcourse.cli.input.CommonOptions;
import dev.midcourse.cli.screen.ShellContext;
import dev.midcourse.cli.spec.Command;
import dev.midcourse.cli.spec.CommandSpec;
import dev.midcourse.cli.spec.Example;
import dev.midcourse.cli.spec.OptionSpec;
import dev.midcourse.cli.spec.ParsedArguments;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** Talks to workers at the terminal. */
public final class TerminalChatCommand extends Command {
  private static final OptionSpec AS =
      OptionSpec.value("--as", "NAME", "who you are: terminal:NAME; default: your login name");
  private static final OptionSpec ROOM =
      OptionSpec.value("--room", "NAME", "a room with others; default: alone with Midcourse");
  private static final OptionSpec THREAD =
      OptionSpec.value("--thread", "NAME", "the thread of the room to write in");
  private static final OptionSpec WAIT =
      OptionSpec.value(
          "--wait", "TIME", "after the end of a pipe, wait up to this time for the answer");

  public TerminalChatCommand() {
    super(
        new CommandSpec(
            "chat",
            CommandSpec.Group.RUNS,
            "talk to workers in a chat",
            """
            A line you type is a message in the chat channel terminal. In a room, @midcourse mentions \
            the workers. /reply N TEXT replies to message N: a reply to a running task corrects it. \
            /1 chooses the first answer of a card. /? lists all commands; Ctrl-D leaves.

            The channel trusts the name of --as, because only people who can use the socket of the hub \
            get here, and they may do everything. In a pipe each line of the input is a message.
            """,
            List.of(),
            List.of(AS, ROOM, THREAD, WAIT),
            List.of(
                new Example("midcourse chat", "talk to your worker"),
                new Example("midcourse chat --room team --as bob", "as bob in the room team"),
                new Example("echo 'fix the login' | midcourse chat --wait 5m", "in a script"))));
  }

  @Override
  public ExitCode run(ParsedArguments arguments, ShellContext shell)
      throws IOException, InterruptedException {
    ChatClient client =
        new ChatClient(
            new HubStarter(shell).ensure(),
            arguments
                .value(AS)
                .or(() -> shell.variable("USER").filter(name -> !name.isBlank()))
                .orElseGet(() -> System.getProperty("user.name", "me")),
            arguments.value(ROOM),
            arguments.value(THREAD));
    ChatView.show(shell, client, CommonOptions.duration(arguments, WAIT).orElse(Duration.ZERO));
    return ExitCode.DONE;
  }
}
