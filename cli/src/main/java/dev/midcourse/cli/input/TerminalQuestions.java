package dev.midcourse.cli.input;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.midcourse.cli.screen.ShellContext;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.util.Optional;

/** Asks a person at the terminal for a line. */
public final class TerminalQuestions {
  private final ShellContext shell;
  private final BufferedReader input;

  public TerminalQuestions(ShellContext shell) {
    this.shell = shell;
    this.input = new BufferedReader(new InputStreamReader(shell.in(), UTF_8));
  }

  /** Returns the line that was typed; empty at the end of the input. */
  public Optional<String> ask(String question) {
    shell.err().print(question);
    shell.err().flush();
    try {
      return Optional.ofNullable(input.readLine());
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** Like {@link #ask}, and the terminal does not show what is typed, as for a password. */
  public Optional<String> askHidden(String question) {
    Thread restore = new Thread(() -> echo("echo"));
    Runtime.getRuntime().addShutdownHook(restore); // Ctrl-C must not leave a terminal without echo
    echo("-echo");
    try {
      return ask(question);
    } finally {
      echo("echo");
      Runtime.getRuntime().removeShutdownHook(restore);
      shell.err().println();
    }
  }

  private static void echo(String mode) {
    try {
      new ProcessBuilder("stty", mode)
          .redirectInput(Path.of("/dev/tty").toFile())
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .redirectError(ProcessBuilder.Redirect.DISCARD)
          .start()
          .waitFor();
    } catch (IOException e) {
      // Without stty the secret is shown while it is typed.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
