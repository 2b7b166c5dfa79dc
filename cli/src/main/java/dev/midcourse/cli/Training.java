package dev.midcourse.cli;

import dev.midcourse.cli.screen.ShellContext;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * Runs the most frequent commands against a real hub, so that the JDK stores their classes, loaded
 * and linked, in its ahead-of-time cache. Only the build starts this class, once for each list of
 * commands. {@code watch} is left out, because it needs a terminal and a build may have none.
 */
final class Training {
  private static final String EARLIER = "earlier";
  private static final String RUN = "training";
  private static final String PROMPT = "Training.\n$ true\n$ sleep 60";

  /**
   * Commands for a first hub. The build then kills that hub, so that the next hub finds a running
   * agent.
   */
  private static final List<List<String>> BEFORE =
      List.of(
          List.of("run", "--agent", "rehearsal", "--id", EARLIER, "--detach", PROMPT),
          List.of("steer", EARLIER, "--wait", "accepted", "--timeout", "5s", "Soon."));

  /** The list is short, because every class in the cache is loaded at every start. */
  private static final List<List<String>> COMMANDS =
      List.of(
          List.of("--version"),
          List.of("run", "--agent", "rehearsal", "--id", RUN, "--detach", PROMPT),
          List.of("ps"),
          List.of("steer", EARLIER, "--wait", "accepted", "--timeout", "5s", "Still there?"),
          List.of("stop", EARLIER),
          List.of("steer", RUN, "--wait", "accepted", "--timeout", "5s", "größer 日本"),
          List.of("show", RUN),
          List.of("answer", RUN, "allow"),
          List.of("steers", RUN),
          List.of("receipt", "no-such-steer"),
          List.of("status"),
          List.of("ps", "--json"));

  private static final List<List<String>> LIVE =
      List.of(
          List.of("stop", RUN),
          List.of("restart", RUN, "--fresh", "--prompt", "$ true"),
          List.of("attach", RUN),
          List.of("run", "--agent", "rehearsal", "Training.\n$ true"));

  /**
   * The training ends after this time, so that a command that hangs cannot block the build. The
   * cache then holds fewer classes.
   */
  private static final Duration LIMIT = Duration.ofMinutes(1);

  private Training() {}

  public static void main(String[] args) {
    Thread.ofPlatform().daemon().start(Training::startTimeout);
    ShellContext shell = shell();
    for (List<String> words : commandsOf(args[0])) {
      Main.run(words, shell);
    }
  }

  private static List<List<String>> commandsOf(String name) {
    return switch (name) {
      case "before" -> BEFORE;
      case "commands" -> COMMANDS;
      case "live" -> LIVE;
      default -> throw new IllegalArgumentException(name);
    };
  }

  private static void startTimeout() {
    try {
      Thread.sleep(LIMIT);
      System.exit(1);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static ShellContext shell() {
    PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream());
    return new ShellContext(
        InputStream.nullInputStream(),
        nowhere,
        nowhere,
        new ShellContext.Terminals(false, true, true, true, 100, 30),
        System.getenv(),
        Path.of("").toAbsolutePath(),
        Path.of(System.getProperty("midcourse.home", "")),
        Optional.empty(),
        InstantSource.system());
  }
}
