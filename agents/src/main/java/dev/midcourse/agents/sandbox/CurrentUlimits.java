package dev.midcourse.agents.sandbox;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The bounds that we are under ourselves. Podman asks for usual ones, which a user without the
 * right to raise his own does not get.
 */
final class CurrentUlimits {
  private static final Path LIMITS = Path.of("/proc/self/limits");
  private static final Path MAX_PROCESS_NUMBER = Path.of("/proc/sys/kernel/pid_max");
  private static final String UNLIMITED = "unlimited";

  private CurrentUlimits() {}

  static List<String> arguments() throws IOException {
    long files = hard("Max open files");
    // Podman itself goes down to as many as the system has numbers for.
    long numbers = Long.parseLong(Files.readString(MAX_PROCESS_NUMBER).strip());
    long processes = Math.min(hard("Max processes"), numbers);
    return List.of(
        "--ulimit=nofile=%d:%d".formatted(files, files),
        "--ulimit=nproc=%d:%d".formatted(processes, processes));
  }

  /** The second of the figures behind the name: what cannot be exceeded. */
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
