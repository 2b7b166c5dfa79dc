package dev.midcourse.agents.sandbox;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Resource limits that a user can set without special rights. The memory limit applies to each
 * process and not to the tree; {@code cgroup} limits the tree, where the system permits it. The
 * processor limit applies to the whole tree, as long as no program raises it.
 */
final class ResourceLimits {
  private static final String LIMIT_MEMORY = "ulimit -d \"$1\" || exit 126; shift; exec \"$@\"";
  private static final long KIB = 1024;
  private static final Path STATUS = Path.of("/proc/self/status");
  private static final String ALLOWED = "Cpus_allowed_list:";

  private ResourceLimits() {}

  static List<String> of(SandboxSpec confinement, SystemPrograms programs) throws IOException {
    List<String> words = new ArrayList<>();
    confinement
        .memory()
        .ifPresent(bytes ->
            words.addAll(
                List.of(
                    "/bin/sh",
                    "-c",
                    LIMIT_MEMORY,
                    "midcourse-limits",
                    Long.toString(bytes / KIB))));
    if (confinement.processors().isPresent()) {
      words.add(programs.need("taskset", "util-linux").toString());
      words.addAll(List.of("-c", some(confinement.processors().get())));
    }
    return words;
  }

  /**
   * Returns {@code count} processors at random out of those that the hub may use, so that workers
   * spread over the processors.
   */
  private static String some(int count) throws IOException {
    List<String> ours = new ArrayList<>();
    for (String line : Files.readAllLines(STATUS)) {
      if (line.startsWith(ALLOWED)) {
        for (String range : line.substring(ALLOWED.length()).strip().split(",", -1)) {
          String[] ends = range.split("-", 2);
          for (int i = Integer.parseInt(ends[0]);
              i <= Integer.parseInt(ends[ends.length - 1]);
              i++) {
            ours.add(Integer.toString(i));
          }
        }
      }
    }
    if (ours.isEmpty()) {
      throw new IOException("this system does not say which processors there are");
    }
    Collections.shuffle(ours);
    return String.join(",", ours.subList(0, Math.min(count, ours.size())));
  }
}
