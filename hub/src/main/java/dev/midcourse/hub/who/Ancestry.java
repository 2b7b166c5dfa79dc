package dev.midcourse.hub.who;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Which runs a process belongs to: the markers in the environment that it, its parent, its parent's
 * parent and so on were started with. A process cannot change what it was started with.
 */
record Ancestry(Path proc) {
  static final Ancestry OF_THIS_SYSTEM = new Ancestry(Path.of("/proc"));

  private static final String RUN = "MIDCOURSE_RUN=";
  private static final String MARK = "MIDCOURSE_MARK=";
  private static final int DEEPEST = 128;

  /** What a process of a run carries: the run's name and the attempt's unpredictable mark. */
  record Marker(String run, String mark) {}

  /**
   * The markers from the process upwards; empty when the process itself cannot be looked at.
   * Processes of other users among its ancestors keep their environment to themselves and are
   * passed over.
   */
  Optional<List<Marker>> markers(long process) {
    List<Marker> markers = new ArrayList<>();
    long pid = process;
    for (int depth = 0; pid > 1 && depth < DEEPEST; depth++) {
      Optional<String> environment = read(pid, "environ");
      if (environment.isEmpty() && pid == process) {
        return Optional.empty();
      }
      environment.flatMap(Ancestry::markerIn).ifPresent(markers::add);
      pid = parent(pid);
    }
    return Optional.of(List.copyOf(markers));
  }

  private static Optional<Marker> markerIn(String environment) {
    String run = "";
    String mark = "";
    for (String entry : environment.split("\0", -1)) {
      if (entry.startsWith(RUN)) {
        run = entry.substring(RUN.length());
      } else if (entry.startsWith(MARK)) {
        mark = entry.substring(MARK.length());
      }
    }
    return run.isEmpty() && mark.isEmpty() ? Optional.empty() : Optional.of(new Marker(run, mark));
  }

  /** The number after the name, which may itself hold blanks and brackets; 0 when it is gone. */
  private long parent(long pid) {
    String stat = read(pid, "stat").orElse("");
    String[] words = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ", 3);
    return words.length < 3 ? 0 : Long.parseLong(words[1]);
  }

  private Optional<String> read(long pid, String file) {
    try {
      byte[] bytes = Files.readAllBytes(proc.resolve(Long.toString(pid)).resolve(file));
      return Optional.of(new String(bytes, UTF_8));
    } catch (IOException goneOrForbidden) {
      return Optional.empty();
    }
  }
}
