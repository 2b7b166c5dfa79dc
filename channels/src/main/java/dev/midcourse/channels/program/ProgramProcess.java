package dev.midcourse.channels.program;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A running channel program. Its lines are read by a thread of the platform, because a blocked read
 * of a pipe would hold the carrier of a virtual thread. A program that writes faster than its lines
 * are taken has to wait.
 */
final class ProgramProcess implements AutoCloseable {
  static final int MAX_LINE = 1024 * 1024;

  /** The rest of the environment of the hub may have keys of models. */
  private static final Set<String> PASSED_ON =
      Set.of("PATH", "HOME", "USER", "LANG", "LC_ALL", "TZ", "TMPDIR", "NODE_PATH", "PYTHONPATH");

  private static final int MAX_WAITING_LINES = 256;
  private static final int MAX_ERROR = 300;
  private static final int MAX_ERROR_BYTES = 4 * 1024;
  private static final Duration STOP_TIMEOUT = Duration.ofSeconds(5);

  private final Process process;
  private final OutputStream input;
  private final Path errors;
  private final BlockingQueue<Output> lines = new ArrayBlockingQueue<>(MAX_WAITING_LINES);

  /** What the program has written. */
  private sealed interface Output {
    record Line(String text) implements Output {}

    record End() implements Output {}
  }

  private ProgramProcess(Process process, Path errors) {
    this.process = process;
    this.input = process.getOutputStream();
    this.errors = errors;
  }

  static ProgramProcess start(ProgramSettings settings) throws IOException {
    Files.createDirectories(settings.folder());
    Path errors = settings.folder().resolve("stderr.log");
    ProcessBuilder builder =
        new ProcessBuilder(settings.command())
            .directory(settings.folder().toFile())
            .redirectError(errors.toFile());
    Map<String, String> environment = builder.environment();
    environment.keySet().retainAll(PASSED_ON);
    environment.put("MIDCOURSE_CHANNEL", settings.name().value());
    settings.token().ifPresent(token -> environment.put("MIDCOURSE_CHANNEL_TOKEN", token.reveal()));
    ProgramProcess started = new ProgramProcess(builder.start(), errors);
    Thread.ofPlatform().daemon().name("channel-program-" + settings.name()).start(started::read);
    return started;
  }

  private void read() {
    try (BufferedReader reader =
        new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8))) {
      StringBuilder line = new StringBuilder();
      int c = reader.read();
      while (c >= 0) {
        if (c == '\n') {
          lines.put(new Output.Line(line.toString()));
          line.setLength(0);
        } else if (line.length() >= MAX_LINE) {
          process.destroyForcibly();
          break;
        } else {
          line.append((char) c);
        }
        c = reader.read();
      }
    } catch (IOException e) {
      // The program has ended.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    end();
  }

  private void end() {
    try {
      lines.put(new Output.End());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Waits for the next line; empty if none came in this time.
   *
   * @throws IOException if the program has ended
   */
  Optional<String> next(Duration wait) throws IOException, InterruptedException {
    return switch (lines.poll(wait.toMillis(), TimeUnit.MILLISECONDS)) {
      case null -> Optional.empty();
      case Output.Line(String text) -> Optional.of(text);
      case Output.End end -> {
        lines.add(end);
        throw new IOException(ending());
      }
    };
  }

  private String ending() throws InterruptedException {
    String how =
        process.waitFor(1, TimeUnit.SECONDS)
            ? "the program ended with status " + process.exitValue()
            : "the program closed its output";
    return how + lastError().map(line -> ": " + line).orElse("");
  }

  /** The last line of the errors. Only the end of the file is read, however much there is. */
  private Optional<String> lastError() {
    try (SeekableByteChannel file = Files.newByteChannel(errors)) {
      ByteBuffer end = ByteBuffer.allocate(MAX_ERROR_BYTES);
      file.position(Math.max(0, file.size() - MAX_ERROR_BYTES));
      while (end.hasRemaining() && file.read(end) >= 0) {}
      return new String(end.array(), 0, end.position(), UTF_8)
          .lines()
          .reduce((_, last) -> last)
          .filter(line -> !line.isBlank())
          .map(line -> line.substring(0, Math.min(MAX_ERROR, line.length())));
    } catch (IOException unreadable) {
      return Optional.empty();
    }
  }

  synchronized void write(String line) throws IOException {
    input.write((line + "\n").getBytes(UTF_8));
    input.flush();
  }

  /** Closes the input, at which the program should end; ends it with all it has started if not. */
  @Override
  public void close() {
    stop();
  }

  /** Like {@link #close}; says whether the program ended by itself. */
  boolean stop() {
    List<ProcessHandle> all = new ArrayList<>(process.descendants().toList());
    all.add(process.toHandle());
    boolean ended = false;
    try {
      input.close();
      ended = process.waitFor(STOP_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (IOException e) {
      ended = !process.isAlive();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    all.forEach(ProcessHandle::destroyForcibly);
    return ended;
  }
}
