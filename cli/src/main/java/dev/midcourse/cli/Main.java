package dev.midcourse.cli;

import dev.midcourse.cli.command.Commands;
import dev.midcourse.cli.command.HelpCommand;
import dev.midcourse.cli.exit.ExitCode;
import dev.midcourse.cli.exit.Failure;
import dev.midcourse.cli.screen.ErrorPrinter;
import dev.midcourse.cli.screen.ShellContext;
import dev.midcourse.cli.screen.TerminalOutput;
import dev.midcourse.cli.spec.Command;
import dev.midcourse.cli.spec.CommandSpec;
import dev.midcourse.cli.spec.HelpText;
import dev.midcourse.cli.spec.ParsedArguments;
import dev.midcourse.core.Version;
import dev.midcourse.core.text.VisibleText;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * Entry point of the command line. Finds the command, runs it and ends the process with the exit
 * code of the command. A failure is printed in two lines; only {@code --verbose} adds a stack
 * trace.
 */
public final class Main {
  private Main() {}

  public static void main(String[] args) {
    ExitCode code = run(List.of(args), shell());
    if (args.length > 0 && args[0].equals("serve")) {
      System.exit(code.number()); // the shutdown hooks of the hub must run
    }
    // System.exit would look for a logger first, which takes longer than most commands.
    Runtime.getRuntime().halt(code.number());
  }

  /** Returns the context of this process: streams, environment, working folder and data folder. */
  private static ShellContext shell() {
    return new ShellContext(
        System.in,
        new PrintStream(new FileOutputStream(FileDescriptor.out), false, StandardCharsets.UTF_8),
        new PrintStream(new FileOutputStream(FileDescriptor.err), false, StandardCharsets.UTF_8),
        ShellContext.Terminals.of(
            System.getProperty("midcourse.terminals", ""),
            System.getProperty("midcourse.size", "")),
        System.getenv(),
        Path.of("").toAbsolutePath(),
        Path.of(
            System.getProperty(
                "midcourse.home", System.getProperty("user.home", "") + "/.midcourse")),
        Optional.ofNullable(System.getProperty("midcourse.launcher")).map(Path::of),
        InstantSource.system());
  }

  static ExitCode run(List<String> words, ShellContext shell) {
    boolean verbose = words.contains(CommandSpec.VERBOSE.name());
    try {
      return dispatch(words, shell);
    } catch (Failure e) {
      ErrorPrinter.print(shell, e.remedy().isBlank() ? e.withRemedy(defaultRemedy(e, words)) : e);
      detail(e, verbose, shell.notes());
      return e.code();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return ExitCode.INTERRUPTED;
    } catch (IOException | RuntimeException e) {
      Failure failure =
          Failure.of(
                  ExitCode.FAILED, "internal error: " + e, "add --verbose to show the stack trace")
              .because(e);
      ErrorPrinter.print(shell, failure);
      detail(failure, verbose, shell.notes());
      return failure.code();
    }
  }

  private static ExitCode dispatch(List<String> words, ShellContext shell)
      throws IOException, InterruptedException {
    String name = words.isEmpty() ? "--help" : words.getFirst();
    switch (name) {
      case "--version", "-V" -> {
        return print(shell, "midcourse " + Version.NUMBER + "\n");
      }
      case "--help", "-h" -> {
        return print(shell, HelpCommand.overview());
      }
      default -> {}
    }
    if (name.startsWith("-")) {
      throw Failure.usage(
          "missing command before " + name, "options come after the command; see midcourse help");
    }
    Command command = Commands.find(name).orElseThrow(() -> Commands.unknown(name));
    ParsedArguments arguments =
        ParsedArguments.parse(command.spec(), words.subList(1, words.size()));
    return arguments.has(CommandSpec.HELP)
        ? print(shell, HelpText.of(command.spec()))
        : command.run(arguments, shell);
  }

  /**
   * Returns the remedy for a failure that carries none, so that every failure is printed with a
   * remedy.
   */
  private static String defaultRemedy(Failure failure, List<String> words) {
    String help = "midcourse help " + words.getFirst();
    return switch (failure.code()) {
      case USAGE, REFUSED, NOT_FOUND -> "see " + help;
      default -> "check the setup: midcourse doctor; add --verbose to show error details";
    };
  }

  private static ExitCode print(ShellContext shell, String text) {
    shell.out().print(text);
    shell.out().flush();
    return ExitCode.DONE;
  }

  private static void detail(Failure failure, boolean verbose, TerminalOutput page) {
    if (verbose && failure.getCause() != null) {
      StringWriter trace = new StringWriter();
      failure.getCause().printStackTrace(new PrintWriter(trace));
      page.line(VisibleText.prose(trace.toString().stripTrailing()));
    }
  }
}
