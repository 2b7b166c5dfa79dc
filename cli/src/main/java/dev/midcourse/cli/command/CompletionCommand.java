package dev.midcourse.cli.command;

import dev.midcourse.cli.exit.ExitCode;
import dev.midcourse.cli.exit.Failure;
import dev.midcourse.cli.screen.ShellContext;
import dev.midcourse.cli.spec.Command;
import dev.midcourse.cli.spec.CommandSpec;
import dev.midcourse.cli.spec.Example;
import dev.midcourse.cli.spec.Operand;
import dev.midcourse.cli.spec.ParsedArguments;
import dev.midcourse.cli.spec.ShellCompletion;
import java.util.List;

/** Prints the completion script of a shell. It completes commands, options and run ids. */
final class CompletionCommand extends Command {
  CompletionCommand() {
    super(
        new CommandSpec(
            "completion",
            CommandSpec.Group.MORE,
            "print the completion script for a shell",
            "",
            List.of(new Operand("SHELL", Operand.Count.ONE, Operand.Kind.SHELL, "bash|zsh|fish")),
            List.of(),
            List.of(
                new Example(
                    "midcourse completion bash >"
                        + " ~/.local/share/bash-completion/completions/midcourse",
                    "install for bash"),
                new Example(
                    "midcourse completion zsh > \"${fpath[1]}/_midcourse\"", "install for zsh"),
                new Example(
                    "midcourse completion fish > ~/.config/fish/completions/midcourse.fish",
                    "install for fish"))));
  }

  @Override
  public ExitCode run(ParsedArguments arguments, ShellContext shell) {
    ShellCompletion completion = new ShellCompletion(Commands.specs());
    String kind = arguments.operands().getFirst();
    shell
        .out()
        .print(
            switch (kind) {
              case "bash" -> completion.bash();
              case "zsh" -> completion.zsh();
              case "fish" -> completion.fish();
              default ->
                  throw Failure.usage(
                      "completion: expected bash, zsh or fish, got '" + kind + "'",
                      "for example: midcourse completion bash");
            });
    shell.out().flush();
    return ExitCode.DONE;
  }
}
