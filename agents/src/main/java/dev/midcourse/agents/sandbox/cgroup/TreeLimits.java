package dev.midcourse.agents.sandbox.cgroup;

import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * The limits of all processes of a program together.
 *
 * @param memory the bytes of memory
 * @param processes the number of processes and threads at the same time
 */
public record TreeLimits(Optional<Long> memory, Optional<Integer> processes) {
  public boolean isEmpty() {
    return memory.isEmpty() && processes.isEmpty();
  }

  Set<Controller> controllers() {
    Set<Controller> needed = EnumSet.noneOf(Controller.class);
    memory.ifPresent(_ -> needed.add(Controller.MEMORY));
    processes.ifPresent(_ -> needed.add(Controller.PIDS));
    return needed;
  }

  /** A controller of the kernel that enforces one of the limits. */
  enum Controller {
    MEMORY("memory"),
    PIDS("pids");

    private final String word;

    Controller(String word) {
      this.word = word;
    }

    /** Returns the name that the kernel uses. */
    String word() {
      return word;
    }
  }
}
