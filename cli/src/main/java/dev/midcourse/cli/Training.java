package dev.midcourse.cli;

import java.io.OutputStream;
import java.io.PrintStream;
import java.util.List;

/**
 * Runs what people use most, so that the JDK can keep the classes loaded and linked in its
 * ahead-of-time cache. Only the build starts it, once for the commands and once for the hub.
 */
final class Training {
  private static final List<String> COMMANDS = List.of("--version", "--help", "no-such-command");

  private Training() {}

  public static void main(String[] args) {
    PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream());
    for (String command : COMMANDS) {
      Main.run(command.split(" ", -1), nowhere, nowhere);
    }
  }
}
