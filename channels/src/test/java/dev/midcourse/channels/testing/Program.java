package dev.midcourse.channels.testing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** A program that writes lines, such as a server or a client library of other people. */
public final class Program implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private final Process process;
  private final Writer input;
  private final List<String> lines = new CopyOnWriteArrayList<>();

  private Program(Process process) {
    this.process = process;
    this.input = process.outputWriter(UTF_8);
    Thread.ofPlatform()
        .daemon()
        .start(() -> {
          try (BufferedReader output = process.inputReader(UTF_8)) {
            output.lines().forEach(lines::add);
          } catch (IOException | UncheckedIOException ended) {
            // the program has ended
          }
        });
  }

  public static Program start(Path folder, String... command) {
    try {
      return new Program(
          new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public void say(String line) {
    try {
      input.write(line + "\n");
      input.flush();
    } catch (IOException e) {
      throw new UncheckedIOException("the program has ended: " + lines, e);
    }
  }

  /** Waits for a line, which may have come before. */
  public String awaitLine(Predicate<String> wanted) {
    await()
        .atMost(TIMEOUT)
        .failFast(() -> !process.isAlive() && lines.stream().noneMatch(wanted))
        .until(() -> lines.stream().anyMatch(wanted));
    return lines.stream().filter(wanted).findFirst().orElseThrow();
  }

  public List<String> lines() {
    return lines;
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  /** Stops the program for the moment; the other side only notices that nothing comes. */
  public long pid() {
    return process.pid();
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(5, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
