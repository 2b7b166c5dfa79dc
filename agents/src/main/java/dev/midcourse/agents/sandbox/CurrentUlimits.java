package dev.midcourse.agents.sandbox;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Passes the resource limits of the hub on to Podman. Podman would request its default limits,
 * which fails for a user without the right to raise limits.
 */
final class CurrentUlimits {
  private static final Path LIMITS = Path.of("/proc/self/limits");
  private static final Path MAX_PROCESS_NUMBER = Path.of("/proc/sys/kernel/pid_max");
  private static final String UNLIMITED = "unlimited";

  private CurrentUlimits() {}

  static List<String> arguments() throws IOException {
    long files = hard("Max open files");
    // Podman itself lowers the limit to the number of process ids of the system.
    long numbers = Long.parseLong(Files.readString(MAX_PROCESS_NUMBER).strip());
    long processes = Math.min(hard("Max processes"), numbers);
    return List.of(
        "--ulimit=nofile=%d:%d".formatted(files, files),
        "--ulimit=nproc=%d:%d".formatted(processes, processes));
  }

  /** Returns the second figure behind the name, which is the hard limit. */
  private static long hard(String name) throws IOException {
    for (String line : Files.readAllLines(LIMITS)) {
      if (line.startsWith(name)) {
        String figure = line.substring(name.length()).strip().split("\\s+", -1)[1];
        return figure.equals(UNLIMITED) ? Long.MAX_VALUE : Long.parseLong(figure);
      }
    }
    throw new IOException(LIMITS + " does not say: " + name);
  }
}
