package dev.midcourse.hub.auth;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.midcourse.agents.process.os.NativeFunctions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongPredicate;

/**
 * Finds the runs that a process belongs to: the markers in its environment and in those of its
 * ancestors up to the first process of the system. A process can change its own environment, not
 * those of its ancestors. A line of ancestors that cannot be followed to its end proves nothing,
 * also not that it has no marker.
 *
 * @param ofAnother whether a process that cannot be read belongs to another user
 */
record ProcessAncestry(Path proc, LongPredicate ofAnother) {
  static final ProcessAncestry OF_THIS_SYSTEM =
      new ProcessAncestry(Path.of("/proc"), ProcessAncestry::notOurs);

  /** A person's line has some ten processes. */
  static final int MAX_DEPTH = 128;

  /** How often a line that changes while it is followed is followed anew. */
  static final int WALKS = 8;

  private static final String RUN = "MIDCOURSE_RUN=";
  private static final String MARK = "MIDCOURSE_MARK=";
  private static final int NO_SIGNAL = 0;
  private static final int EPERM = 1;

  /** What a process of a run carries: the run's name and the attempt's unpredictable mark. */
  record Marker(String run, String mark) {}

  /** What was found on the way up from a process. */
  sealed interface Line {
    /** It was followed to its end; the markers are those from the process upwards. */
    record Whole(List<Marker> markers) implements Line {
      public Whole {
        markers = List.copyOf(markers);
      }
    }

    /** It could not be followed to its end, for a reason in words. */
    record Broken(String why) implements Line {}
  }

  /** The line of a process. Other users' processes in it keep their markers to themselves. */
  Line of(long process) {
    for (int walk = 0; walk < WALKS; walk++) {
      Optional<Line> line = follow(process);
      if (line.isPresent()) {
        return line.get();
      }
    }
    return new Line.Broken("the ancestors of process " + process + " do not stay the same");
  }

  /** Empty when it changed while it was followed. */
  private Optional<Line> follow(long process) {
    Optional<String> own = read(process, "environ");
    OptionalLong parent = parent(process);
    // The environment of a process of root is hidden from a hub of another user, its parent is not.
    boolean hidden = own.isEmpty() && !ofAnother.test(process);
    if (hidden || parent.isEmpty()) {
      return broken("process " + process + " does not let itself be looked at");
    }
    List<Marker> markers = new ArrayList<>();
    own.flatMap(ProcessAncestry::markerIn).ifPresent(markers::add);
    long child = process;
    for (int depth = 1; depth < MAX_DEPTH; depth++) {
      long pid = parent.getAsLong();
      if (isFirst(pid)) {
        return Optional.of(new Line.Whole(markers));
      }
      Optional<String> environment = read(pid, "environ");
      OptionalLong next = parent(pid);
      if (!isParent(pid, child)) {
        return Optional.empty();
      }
      environment.flatMap(ProcessAncestry::markerIn).ifPresent(markers::add);
      if (next.isEmpty()) {
        // A system may hide other users' processes, and then all above them. One of our own user
        // that hides may be an agent's.
        return ofAnother.test(pid)
            ? Optional.of(new Line.Whole(markers))
            : broken("process " + pid + " above it does not let itself be looked at");
      }
      child = pid;
      parent = next;
    }
    return broken("process " + process + " has more than " + MAX_DEPTH + " ancestors");
  }

  /** The first process of the system or of its container; 0 is what a container shows for it. */
  private static boolean isFirst(long pid) {
    return pid <= 1;
  }

  /** As long as a child names its parent, that one is alive, and its number no other's. */
  private boolean isParent(long pid, long child) {
    OptionalLong named = parent(child);
    return named.isPresent() && named.getAsLong() == pid;
  }

  private static Optional<Line> broken(String why) {
    return Optional.of(new Line.Broken(why));
  }

  private static boolean notOurs(long pid) {
    return NativeFunctions.known()
        && new NativeFunctions.Function("kill").call(pid, NO_SIGNAL) == -EPERM;
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

  /** The number after the name, which may itself hold blanks and brackets; none when it is gone. */
  private OptionalLong parent(long pid) {
    String stat = read(pid, "stat").orElse("");
    String[] words = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ", 3);
    return words.length < 3 ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(words[1]));
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
