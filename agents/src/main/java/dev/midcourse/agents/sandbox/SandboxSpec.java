package dev.midcourse.agents.sandbox;

import java.util.Optional;

/**
 * The isolation and the resource limits of a worker's programs.
 *
 * @param memory the data bytes that each single process may have; in a container, the bytes of all
 *     processes together
 * @param processors the number of processors on which all processes together may run
 */
public record SandboxSpec(Sandbox sandbox, Optional<Long> memory, Optional<Integer> processors) {
  public static final SandboxSpec NONE =
      new SandboxSpec(new Sandbox.None(), Optional.empty(), Optional.empty());

  public SandboxSpec(Sandbox sandbox) {
    this(sandbox, Optional.empty(), Optional.empty());
  }

  public SandboxSpec in(Sandbox other) {
    return new SandboxSpec(other, memory, processors);
  }
}
