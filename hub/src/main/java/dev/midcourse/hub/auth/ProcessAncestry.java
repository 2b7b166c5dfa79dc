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

  /** Above any usual depth: a shell of a person has about ten ancestors. */
  static final int MAX_DEPTH = 128;

  /** The maximum of tries if the ancestors change while they are read. */
  static final int MAX_TRIES = 8;

  private static final String RUN = "MIDCOURSE_RUN=";
  private static final String MARK = "MIDCOURSE_MARK=";
  private static final int NO_SIGNAL = 0;
  private static final int EPERM = 1;

  /**
   * The marker of a process of a run: the name of the run and the unpredictable mark of the
   * attempt.
   */
  record Marker(String run, String mark) {}

  /** The ancestors of a process. */
  sealed interface Ancestors {
    /** All ancestors were read; the markers are in order from the process upwards. */
    record Complete(List<Marker> markers) implements Ancestors {
      public Complete {
        markers = List.copyOf(markers);
      }
    }

    /** Some ancestors could not be read. */
    record Broken(String why) implements Ancestors {}
  }

  /** Returns the ancestors of a process. Processes of other users do not show their markers. */
  Ancestors of(long process) {
    for (int walk = 0; walk < MAX_TRIES; walk++) {
      Optional<Ancestors> ancestors = follow(process);
      if (ancestors.isPresent()) {
        return ancestors.get();
      }
    }
    return new Ancestors.Broken("the ancestors of process " + process + " do not stay the same");
  }

  /** Returns the ancestors; empty if they changed while they were read. */
  private Optional<Ancestors> follow(long process) {
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
        return Optional.of(new Ancestors.Complete(markers));
      }
      Optional<String> environment = read(pid, "environ");
      OptionalLong next = parent(pid);
      if (!isParent(pid, child)) {
        return Optional.empty();
      }
      environment.flatMap(ProcessAncestry::markerIn).ifPresent(markers::add);
      if (next.isEmpty()) {
        // A system may hide the processes of other users, and with them all their ancestors. A
        // hidden process of our own user may be an agent's.
        return ofAnother.test(pid)
            ? Optional.of(new Ancestors.Complete(markers))
            : broken("process " + pid + " above it does not let itself be looked at");
      }
      child = pid;
      parent = next;
    }
    return broken("process " + process + " has more than " + MAX_DEPTH + " ancestors");
  }

  /** The first process of the system or of its container; a container shows 0 for it. */
  private static boolean isFirst(long pid) {
    return pid <= 1;
  }

  /**
   * A parent that its child still names is alive, so its number was not given to another process.
   */
  private boolean isParent(long pid, long child) {
    OptionalLong named = parent(child);
    return named.isPresent() && named.getAsLong() == pid;
  }

  private static Optional<Ancestors> broken(String why) {
    return Optional.of(new Ancestors.Broken(why));
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

  /**
   * Returns the number after the name, which may itself contain blanks and brackets; empty if the
   * process has ended.
   */
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
