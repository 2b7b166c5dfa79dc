package dev.midcourse.hub.settings.worker;

import dev.midcourse.agents.sandbox.Sandbox;
import dev.midcourse.agents.sandbox.SandboxSpec;
import dev.midcourse.core.authority.NamePattern;
import dev.midcourse.core.contract.DispatchRules;
import dev.midcourse.core.id.AgentName;
import dev.midcourse.core.run.Limits;
import dev.midcourse.core.steer.PendingPolicy;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A declared worker, or several by one pattern.
 *
 * @param agent its agent; without it the hub selects one
 * @param workspace the folder of its clones; without it that of the data folder
 * @param chatFolder the folder in which its conversations work; without it each has its own
 * @param atOnce the maximum of runs at once
 * @param pending which pending steers are delivered together
 * @param attempts how many times a run is tried if its agent dies
 * @param confinement the sandbox of its agent
 * @param limits the limits of each run
 * @param rules the rules of its team for a dispatch
 */
public record WorkerConfig(
    NamePattern name,
    Optional<AgentName> agent,
    Optional<Path> workspace,
    Optional<Path> chatFolder,
    int atOnce,
    PendingPolicy pending,
    int attempts,
    SandboxSpec confinement,
    Limits limits,
    DispatchRules rules) {

  /** Returns whether its programs come from an image and not from this machine. */
  public boolean inImage() {
    return confinement.sandbox() instanceof Sandbox.Container;
  }
}
