package dev.midcourse.hub.settings;

import dev.midcourse.agents.sandbox.Sandbox;
import dev.midcourse.agents.sandbox.SandboxSpec;
import dev.midcourse.core.authority.NamePattern;
import dev.midcourse.core.id.AgentName;
import dev.midcourse.core.run.Limits;
import dev.midcourse.core.steer.PendingPolicy;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A worker as it is declared, or many by one pattern.
 *
 * @param agent who works; without it the hub's own choice
 * @param workspace where its clones of repositories are; without it the data folder's
 * @param atOnce how many runs it takes at once
 * @param pending which pending steers are delivered at once
 * @param attempts how many times a run is tried when its agent dies
 * @param confinement what its agent's programs are held to
 * @param limits what each run may take
 */
public record WorkerConfig(
    NamePattern name,
    Optional<AgentName> agent,
    Optional<Path> workspace,
    int atOnce,
    PendingPolicy pending,
    int attempts,
    SandboxSpec confinement,
    Limits limits) {

  /** Whether its programs are those of an image, and not this machine's. */
  public boolean inImage() {
    return confinement.sandbox() instanceof Sandbox.Container;
  }
}
