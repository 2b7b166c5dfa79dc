package dev.midcourse.proof.crash;

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

/** A {@link CrashHub} process that a drill can kill. */
final class HubProcess {
  /** The file with the error output of every hub of a drill. */
  static final String COMPLAINTS = "hub.err";

  private final Process process;
  private final CountDownLatch ready = new CountDownLatch(1);
  private final Thread reader;

  private HubProcess(Process process, Consumer<String> lines) {
    this.process = process;
    this.reader = Thread.ofPlatform().name("drill-reader").daemon().unstarted(() -> read(lines));
  }

  static HubProcess start(
      HubClasses classes,
      Path folder,
      DrillStore store,
      String fault,
      long endsKnownTo,
      Consumer<String> lines) {
    List<String> command = new ArrayList<>(classes.command());
    // A killed hub does not clean up.
    command.add(1, "-Dorg.sqlite.tmpdir=" + folder);
    command.addAll(
        List.of(
            CrashHub.class.getName(),
            folder.toString(),
            store.word(),
            fault,
            Long.toString(endsKnownTo)));
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
  boolean awaitReady(long seconds) throws InterruptedException {
    return ready.await(seconds, TimeUnit.SECONDS);
  }

  boolean alive() {
    return process.isAlive();
  }

  /** Sends a line to the hub. A dead hub gets nothing. */
  void say(String line) {
    try {
      OutputStream in = process.getOutputStream();
      in.write((line + "\n").getBytes(StandardCharsets.UTF_8));
      in.flush();
    } catch (IOException gone) {
      // The hub was killed; the drill sends the request to the next hub again.
    }
  }

  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
    reader.join();
  }

  /** Closes the input of the hub and waits until the process ends by itself. */
  void leave(long seconds) throws IOException, InterruptedException {
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

  static List<String> words(String line) {
    return List.of(line.split(" ", -1));
  }
}
