package dev.midcourse.agents.sandbox;

import java.util.Optional;

/**
 * What a worker's programs are held to.
 *
 * @param memory bytes that each single process may have of its own; in a container, all together
 * @param processors on how many of them all its processes together may run
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
