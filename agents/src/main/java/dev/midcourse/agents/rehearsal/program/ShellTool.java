package dev.midcourse.agents.rehearsal.program;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A running shell command. Its output is passed on line by line as it arrives. The command has its
 * own session, so that it can be ended together with the processes that it started.
 */
final class ShellTool {
  private static final int MAX_LINE = 4096;
  private static final long LAST_OUTPUT_TIMEOUT_MILLIS = 200;

  private final Process process;
  private final Thread reader;

  private ShellTool(Process process, Thread reader) {
    this.process = process;
    this.reader = reader;
  }

  /** Receives the output and the exit of the command, on threads of the tool. */
  interface Listener {
    void output(String line);

    void finished(int code);
  }

  static ShellTool start(String command, Path folder, Listener listener) throws IOException {
    ProcessBuilder builder = new ProcessBuilder("setsid", "sh", "-c", command);
    builder.directory(folder.toFile());
    builder.redirectErrorStream(true);
    builder.redirectInput(Redirect.from(new File("/dev/null")));
    Process process = builder.start();
    Thread reader = daemon("tool-output", () -> read(process, listener));
    ShellTool shell = new ShellTool(process, reader);
    reader.start();
    daemon("tool-exit", () -> shell.await(listener)).start();
    return shell;
  }

  private static Thread daemon(String name, Runnable task) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    return thread;
  }

  private static void read(Process process, Listener listener) {
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        listener.output(
            line.length() <= MAX_LINE ? line : line.substring(0, MAX_LINE).concat("..."));
      }
    } catch (IOException closed) {
      // The command has ended and its output has been read.
    }
  }

  /**
   * Reports the exit of the command. Waits at most 200 ms for the rest of the output, because a
   * background process may keep the output open.
   */
  private void await(Listener listener) {
    try {
      int code = process.waitFor();
      reader.join(LAST_OUTPUT_TIMEOUT_MILLIS);
      listener.finished(code);
    } catch (InterruptedException notOurs) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Kills the command and the processes that it started. Waits up to one second until they are
   * gone.
   */
  void kill() {
    List<ProcessHandle> kin = process.descendants().toList();
    killGroup();
    process.destroyForcibly();
    for (ProcessHandle one : kin) {
      one.destroyForcibly();
    }
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(1);
    while (isAlive(kin) && System.nanoTime() < deadline) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
  }

  /**
   * Kills the process group, which includes processes that were started after the list of
   * descendants was read.
   */
  private void killGroup() {
    try {
      new ProcessBuilder("kill", "-KILL", "--", "-".concat(Long.toString(process.pid())))
          .redirectOutput(Redirect.DISCARD)
          .redirectError(Redirect.DISCARD)
          .start()
          .waitFor(1, TimeUnit.SECONDS);
    } catch (InterruptedException asked) {
      Thread.currentThread().interrupt();
    } catch (IOException failure) {
      throw new UncheckedIOException("a tool cannot be ended", failure);
    }
  }

  private boolean isAlive(List<ProcessHandle> kin) {
    for (ProcessHandle one : kin) {
      if (one.isAlive() && !isZombie(one)) {
        return true;
      }
    }
    return process.isAlive();
  }

  /** Returns whether the process is dead but its new parent has not collected it yet. */
  private static boolean isZombie(ProcessHandle handle) {
    try {
      String stat =
          Files.readString(Path.of("/proc", Long.toString(handle.pid()), "stat"), ISO_8859_1);
      return stat.startsWith(") Z", stat.lastIndexOf(')'));
    } catch (IOException goneOrNoSuchFolder) {
      return false;
    }
  }
}
