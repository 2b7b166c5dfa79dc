package dev.midcourse.proof.agents;

import dev.midcourse.proof.Processes;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** An agent process in a test. Closing it ends the process and all its descendants. */
final class RunningAgent implements AutoCloseable {
  private final Process process;
  private final Path errors;

  private RunningAgent(Process process, Path errors) {
    this.process = process;
    this.errors = errors;
  }

  /** Starts a command with empty standard input, for one prompt. */
  static RunningAgent oneShot(AgentHome home, Path workspace, List<String> command)
      throws IOException {
    return start(
        home, workspace, command, ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
  }

  /** Starts a command that communicates through standard input and output. */
  static RunningAgent talking(AgentHome home, Path workspace, List<String> command)
      throws IOException {
    return start(home, workspace, command, ProcessBuilder.Redirect.PIPE);
  }

  private static RunningAgent start(
      AgentHome home, Path workspace, List<String> command, ProcessBuilder.Redirect input)
      throws IOException {
    var errors = home.folder().resolve("stderr.txt");
    var builder =
        new ProcessBuilder(command)
            .directory(workspace.toFile())
            .redirectInput(input)
            .redirectError(errors.toFile());
    builder.environment().clear();
    builder.environment().putAll(home.environment());
    return new RunningAgent(builder.start(), errors);
  }

  BufferedReader output() {
    return process.inputReader(StandardCharsets.UTF_8);
  }

  void write(String line) throws IOException {
    var writer = process.outputWriter(StandardCharsets.UTF_8);
    writer.write(line);
    writer.write('\n');
    writer.flush();
  }

  /** Reads all output, waits for the end and returns the output; an error contains stderr. */
  String awaitSuccess(Duration atMost) throws IOException, InterruptedException {
    // A separate thread reads, so that an agent that never ends cannot block the test.
    var output = new FutureTask<>(() -> output().readAllAsString());
    Thread.ofPlatform().daemon().name("agent output").start(output);
    if (!process.waitFor(atMost.toMillis(), TimeUnit.MILLISECONDS)) {
      throw new AssertionError("the agent did not end within " + atMost + "\n" + errors());
    }
    try {
      var text = output.get();
      if (process.exitValue() != 0) {
        throw new AssertionError("exit " + process.exitValue() + "\n" + text + "\n" + errors());
      }
      return text;
    } catch (ExecutionException e) {
      throw new IOException(e);
    }
  }

  String errors() throws IOException {
    return Files.readString(errors);
  }

  @Override
  public void close() {
    Processes.kill(Stream.concat(process.descendants(), Stream.of(process.toHandle())).toList());
  }
}
