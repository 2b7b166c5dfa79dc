package dev.midcourse.agents.process.wrapper;

import dev.midcourse.agents.process.attempt.AttemptFolder;
import dev.midcourse.agents.process.attempt.Launch;
import dev.midcourse.agents.process.attempt.LaunchFailure;
import dev.midcourse.agents.process.attempt.OutputFile;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * Starts the wrapper as a child process of the hub. Starts it on a platform thread, because the JDK
 * waits in native code until the child has begun.
 */
public final class ProcessSpawner {

  private static final File NOTHING = new File("/dev/null");

  private ProcessSpawner() {}

  public static Process start(
      Launch launch, AttemptFolder folder, WrapperScript wrapper, boolean fifo)
      throws LaunchFailure {
    ProcessBuilder builder = new ProcessBuilder(wrapper.commandFor(launch, folder, fifo));
    builder.directory(launch.directory().toFile());
    builder.redirectInput(fifo ? Redirect.from(NOTHING) : Redirect.PIPE);
    builder.redirectOutput(Redirect.appendTo(folder.output(OutputFile.OUT).toFile()));
    builder.redirectError(Redirect.appendTo(folder.output(OutputFile.ERR).toFile()));
    Map<String, String> environment = builder.environment();
    environment.clear();
    environment.putAll(WrapperScript.environmentFor(launch));
    return awaited(
        CompletableFuture.supplyAsync(() -> started(builder), ProcessSpawner::onPlatformThread));
  }

  private static void onPlatformThread(Runnable task) {
    Thread.ofPlatform().name("spawn").daemon().start(task);
  }

  private static Process started(ProcessBuilder builder) {
    try {
      return builder.start();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /**
   * Waits for the start without interruption, so that a started child is never lost. The wait takes
   * a few milliseconds. An interrupt is restored afterwards.
   */
  private static Process awaited(CompletableFuture<Process> start) throws LaunchFailure {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return start.get();
        } catch (InterruptedException asked) {
          interrupted = true;
        }
      }
    } catch (ExecutionException failure) {
      throw new LaunchFailure("the program cannot be started: " + failure.getMessage(), failure);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
