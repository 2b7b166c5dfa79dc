package dev.midcourse.cli.command;

import dev.midcourse.cli.exit.ExitCode;
import dev.midcourse.cli.screen.ShellContext;
import dev.midcourse.cli.spec.Command;
import dev.midcourse.cli.spec.CommandSpec;
import dev.midcourse.cli.spec.Example;
import dev.midcourse.cli.spec.HelpText;
import dev.midcourse.cli.spec.Operand;
import dev.midcourse.cli.spec.ParsedArguments;
import java.util.List;
import java.util.Optional;

/** Prints the list of commands or the help page of one command. */
public final class HelpCommand extends Command {
  private static final String EXIT_CODES = "exit-codes";

  public HelpCommand() {
    super(
        new CommandSpec(
            "help",
            CommandSpec.Group.MORE,
            "print help for a command, or the exit codes",
            "",
            List.of(
                new Operand(
                    "COMMAND",
                    Operand.Count.OPTIONAL,
                    Operand.Kind.COMMAND,
                    "COMMAND | exit-codes")),
            List.of(),
            List.of(new Example("midcourse help steer", "the same as midcourse steer --help"))));
  }

  @Override
  public ExitCode run(ParsedArguments arguments, ShellContext shell) {
    Optional<String> about = arguments.operand(0);
    shell.out().print(about.map(HelpCommand::text).orElseGet(HelpCommand::overview));
    shell.out().flush();
    return ExitCode.DONE;
  }

  public static String overview() {
    return HelpText.overview(Commands.specs());
  }

  private static String text(String about) {
    if (about.equals(EXIT_CODES)) {
      return exitCodes();
    }
    return Commands.find(about)
        .map(command -> HelpText.of(command.spec()))
        .orElseThrow(() -> Commands.unknown(about));
  }

  private static String exitCodes() {
    StringBuilder out = new StringBuilder("Exit codes:\n\n");
    for (ExitCode code : ExitCode.values()) {
      String number = Integer.toString(code.number());
      out.append("  ").append(" ".repeat(3 - number.length())).append(number);
      out.append("  ").append(code.meaning()).append('\n');
    }
    return out.toString();
  }
}
