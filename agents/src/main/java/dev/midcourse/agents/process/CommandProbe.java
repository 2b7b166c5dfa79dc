package dev.midcourse.agents.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Runs a command and returns its output, within a bounded time and up to a bounded length. Kills
 * the command and its remaining descendants before a call returns.
 *
 * @param words the program with its arguments
 * @param timeout how long the command may take before it is ended
 * @param maxBytes how much of the output is read
 */
public record CommandProbe(
    List<String> words, Map<String, String> environment, Duration timeout, int maxBytes) {

  /**
   * The result of the command.
   *
   * @param code the exit status; empty when the command had to be ended
   */
  public record ProbeResult(OptionalInt code, String out) {}

  public CommandProbe {
    words = List.copyOf(words);
    environment = Map.copyOf(environment);
  }

  /** Runs the command and returns standard output and standard error in one text. */
  public ProbeResult allWords() throws IOException {
    return ask(true);
  }

  /** Runs the command and returns its standard output only. */
  public ProbeResult output() throws IOException {
    return ask(false);
  }

  /**
   * Redirects the output to a file, because a child of the command could keep a pipe open and block
   * this method.
   */
  private ProbeResult ask(boolean errorsToo) throws IOException {
    Path output = Files.createTempFile("said", ".txt");
    try {
      ProcessBuilder builder =
          new ProcessBuilder(words)
              .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .redirectErrorStream(errorsToo)
              .redirectOutput(output.toFile());
      builder.environment().clear();
      builder.environment().putAll(environment);
      OptionalInt code = awaitEnd(builder.start());
      try (var file = Files.newInputStream(output)) {
        return new ProbeResult(code, new String(file.readNBytes(maxBytes), StandardCharsets.UTF_8));
      }
    } finally {
      Files.deleteIfExists(output);
    }
  }

  private OptionalInt awaitEnd(Process process) {
    try {
      boolean ended = process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS);
      return ended ? OptionalInt.of(process.exitValue()) : OptionalInt.empty();
    } catch (InterruptedException asked) {
      Thread.currentThread().interrupt();
      return OptionalInt.empty();
    } finally {
      Stream.concat(process.descendants(), Stream.of(process.toHandle()))
          .forEach(ProcessHandle::destroyForcibly);
    }
  }
}
