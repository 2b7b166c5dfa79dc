package dev.midcourse.proof.crash.hub;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** The process of a hub, such as {@link CrashHub}, that a drill can kill. */
public final class HubProcess {
  /** The file with the error output of every hub of a drill. */
  public static final String COMPLAINTS = "hub.err";

  private final Process process;
  private final CountDownLatch ready = new CountDownLatch(1);
  private final Thread reader;

  private HubProcess(Process process, Consumer<String> lines) {
    this.process = process;
    this.reader = Thread.ofPlatform().name("drill-reader").daemon().unstarted(() -> read(lines));
  }

  public static HubProcess start(
      HubClasses classes,
      Path folder,
      DrillStore store,
      String fault,
      long endsKnownTo,
      Consumer<String> lines) {
    List<String> arguments =
        List.of(folder.toString(), store.word(), fault, Long.toString(endsKnownTo));
    return start(classes, folder, CrashHub.class, arguments, lines);
  }

  /** Starts the program and gives each line of its output to the consumer. */
  public static HubProcess start(
      HubClasses classes,
      Path folder,
      Class<?> program,
      List<String> arguments,
      Consumer<String> lines) {
    List<String> command = new ArrayList<>(classes.command());
    // A killed hub does not clean up.
    command.add(1, "-Dorg.sqlite.tmpdir=" + folder);
    command.add(program.getName());
    command.addAll(arguments);
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectError(ProcessBuilder.Redirect.appendTo(folder.resolve(COMPLAINTS).toFile()))
              .start();
      HubProcess hub = new HubProcess(process, lines);
      hub.reader.start();
      return hub;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits until the hub is ready or dead; returns false on timeout. */
  public boolean awaitReady(long seconds) throws InterruptedException {
    return ready.await(seconds, TimeUnit.SECONDS);
  }

  public boolean alive() {
    return process.isAlive();
  }

  /** Returns what the hub is doing, for the report of a drill that does not come to its end. */
  public String condition() throws IOException, InterruptedException {
    if (!alive()) {
      return "the hub has ended with " + process.exitValue();
    }
    Process stacks =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                Long.toString(process.pid()),
                "Thread.print")
            .redirectErrorStream(true)
            .start();
    String text = new String(stacks.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    stacks.waitFor();
    return "the hub is alive; its threads: " + text;
  }

  /** Sends a line to the hub. A dead hub gets nothing. */
  public void say(String line) {
    try {
      OutputStream in = process.getOutputStream();
      in.write((line + "\n").getBytes(StandardCharsets.UTF_8));
      in.flush();
    } catch (IOException gone) {
      // The hub was killed; the drill sends the request to the next hub again.
    }
  }

  public void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
    reader.join();
  }

  /** Closes the input of the hub and waits until the process ends by itself. */
  public void leave(long seconds) throws IOException, InterruptedException {
    process.getOutputStream().close();
    if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
      kill();
    }
    reader.join();
  }

  private void read(Consumer<String> lines) {
    try (BufferedReader out =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        if (line.startsWith("ready")) {
          ready.countDown();
        }
        lines.accept(line);
      }
    } catch (IOException killed) {
      // The output of a killed process has ended.
    } finally {
      ready.countDown();
    }
  }

  public static List<String> words(String line) {
    return List.of(line.split(" ", -1));
  }
}
