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
 * Calls a program for what it prints, in bounded time and to a bounded length. Nothing of what was
 * started is left behind.
 *
 * @param words the program with its arguments
 * @param longest how long it may take before it is ended
 * @param mostBytes how much of its output is read
 */
public record CommandProbe(
    List<String> words, Map<String, String> environment, Duration longest, int mostBytes) {

  /**
   * What it said.
   *
   * @param code its exit status; empty when it had to be ended
   */
  public record ProbeResult(OptionalInt code, String out) {}

  public CommandProbe {
    words = List.copyOf(words);
    environment = Map.copyOf(environment);
  }

  /** Both of its streams, as they come. */
  public ProbeResult allWords() throws IOException {
    return ask(true);
  }

  /** Its standard output alone. */
  public ProbeResult output() throws IOException {
    return ask(false);
  }

  /** Its output goes to a file, so that no child of its that keeps a pipe open can hold us. */
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
        return new ProbeResult(
            code, new String(file.readNBytes(mostBytes), StandardCharsets.UTF_8));
      }
    } finally {
      Files.deleteIfExists(output);
    }
  }

  private OptionalInt awaitEnd(Process process) {
    try {
      boolean ended = process.waitFor(longest.toMillis(), TimeUnit.MILLISECONDS);
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
