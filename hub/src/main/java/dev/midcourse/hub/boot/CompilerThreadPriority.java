package dev.midcourse.hub.boot;

import dev.midcourse.agents.process.os.NativeFunctions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * Lowers the priority of Java's optimizing compiler threads. They are busiest in the seconds after
 * a start, when many agents may wait for the hub.
 */
public final class CompilerThreadPriority {
  /** The nice value: under load these threads get a third of the time of others. */
  public static final int NICE = 5;

  private static final Path HUB = Path.of("/proc/self");
  private static final int PRIO_PROCESS = 0;
  private static final int NICE_FIELD = 16;

  private CompilerThreadPriority() {}

  /** Lowers the priority. Does nothing if this is not Linux or the C library cannot be called. */
  public static void lower() {
    if (!NativeFunctions.known()) {
      return;
    }
    try (Stream<Path> threads = Files.list(HUB.resolve("task"))) {
      int nice = nice(HUB) + NICE;
      NativeFunctions.Function setPriority = new NativeFunctions.Function("setpriority");
      threads
          .filter(CompilerThreadPriority::optimizes)
          .mapToLong(thread -> Long.parseLong(thread.getFileName().toString()))
          .forEach(thread -> {
            int _ = setPriority.call(PRIO_PROCESS, thread, nice);
          });
    } catch (IOException | RuntimeException | LinkageError notFound) {
      // The hub works without it.
    }
  }

  public static boolean optimizes(Path thread) {
    try {
      return Files.readString(thread.resolve("comm")).startsWith("C2 CompilerThre");
    } catch (IOException ended) {
      return false;
    }
  }

  /** Returns the nice value of a process or of one of its threads, by its folder. */
  public static int nice(Path task) throws IOException {
    String stat = Files.readString(task.resolve("stat"));
    String afterTheName = stat.substring(stat.lastIndexOf(')') + 2);
    return Integer.parseInt(afterTheName.split(" ", -1)[NICE_FIELD]);
  }
}
