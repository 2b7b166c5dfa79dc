package dev.midcourse.proof;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * Process checks for tests. A zombie counts as dead: its parent may be slow, or may be the first
 * process of a container, which may never reap it.
 */
public final class Processes {
  private static final Path TABLE = Path.of("/proc");
  private static final long POLL_NANOS = 1_000_000;

  private Processes() {}

  /** Returns whether a process with this pid is alive. */
  public static boolean isAlive(long pid) {
    return ProcessHandle.of(pid).filter(Processes::isAlive).isPresent();
  }

  private static boolean isAlive(ProcessHandle process) {
    return process.isAlive() && !isZombie(TABLE.resolve(Long.toString(process.pid())));
  }

  /**
   * Returns whether the process is a zombie. The first thread of a process can be dead while others
   * are alive.
   */
  private static boolean isZombie(Path entry) {
    try (Stream<Path> threads = Files.list(entry.resolve("task"))) {
      String stat = Files.readString(entry.resolve("stat"));
      return stat.startsWith(") Z", stat.lastIndexOf(')')) && threads.count() <= 1;
    } catch (IOException | UncheckedIOException goneOrNoTable) {
      return Files.exists(TABLE.resolve("self"));
    }
  }

  /** Kills the processes with SIGKILL and waits until none is alive. */
  public static void kill(List<ProcessHandle> processes) {
    processes.forEach(ProcessHandle::destroyForcibly);
    while (processes.stream().anyMatch(Processes::isAlive)) {
      LockSupport.parkNanos(POLL_NANOS);
    }
  }
}
