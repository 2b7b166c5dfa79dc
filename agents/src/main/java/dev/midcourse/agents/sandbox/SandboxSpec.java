package dev.midcourse.agents.sandbox;

import dev.midcourse.agents.sandbox.cgroup.TreeLimits;
import java.util.Optional;

/**
 * The isolation and the resource limits of a worker's programs.
 *
 * @param memory the bytes that all processes together may have
 * @param processors the number of processors on which all processes together may run
 * @param processes the number of processes and threads that may exist at the same time
 * @param enforcement what happens if the limits cannot be set for all processes together
 */
public record SandboxSpec(
    Sandbox sandbox,
    Optional<Long> memory,
    Optional<Integer> processors,
    Optional<Integer> processes,
    Enforcement enforcement) {
  public static final SandboxSpec NONE = new SandboxSpec(new Sandbox.None());

  /** What happens if this system cannot limit all processes of a program together. */
  public enum Enforcement {
    /** The memory of each single process is limited. */
    BEST_EFFORT,
    /** The program does not start. */
    REQUIRED
  }

  public SandboxSpec(Sandbox sandbox) {
    this(sandbox, Optional.empty(), Optional.empty());
  }

  public SandboxSpec(Sandbox sandbox, Optional<Long> memory, Optional<Integer> processors) {
    this(sandbox, memory, processors, Optional.empty(), Enforcement.BEST_EFFORT);
  }

  public SandboxSpec in(Sandbox other) {
    return new SandboxSpec(other, memory, processors, processes, enforcement);
  }

  TreeLimits treeLimits() {
    return new TreeLimits(memory, processes);
  }
}
