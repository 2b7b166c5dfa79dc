package dev.midcourse.agents.sandbox;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The limits that a user can set without rights of his own. The kernel counts memory by process,
 * not by tree; processors are those of the whole tree, for programs that do not ask for more.
 */
final class Ceilings {
  private static final String LIMIT_MEMORY = "ulimit -d \"$1\" || exit 126; shift; exec \"$@\"";
  private static final long KIB = 1024;

  private Ceilings() {}

  static List<String> of(Confinement confinement, SystemPrograms programs) throws IOException {
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
      words.addAll(List.of("-c", "0-" + (confinement.processors().get() - 1)));
    }
    return words;
  }
}
