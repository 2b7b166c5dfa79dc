package dev.midcourse.hub.boot;

import dev.midcourse.agents.sandbox.Sandbox;
import dev.midcourse.agents.sandbox.SandboxLauncher;
import dev.midcourse.agents.sandbox.SandboxSpec;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Says where the isolation of a worker is weaker than its settings suggest, in the log of a run and
 * in {@code midcourse doctor}.
 */
public final class SandboxNotes {
  private SandboxNotes() {}

  static List<String> of(SandboxSpec confinement) {
    List<String> notes = new ArrayList<>();
    network(confinement.sandbox()).ifPresent(note -> notes.add("sandbox: " + note));
    try {
      limits(confinement).ifPresent(notes::add);
    } catch (InterruptedException asked) {
      Thread.currentThread().interrupt();
    }
    return notes;
  }

  /** Returns a note if a sandbox has a network. */
  public static Optional<String> network(Sandbox sandbox) {
    boolean on =
        switch (sandbox) {
          case Sandbox.None _ -> false;
          case Sandbox.Bubblewrap bubblewrap -> bubblewrap.network();
          case Sandbox.Container container -> container.network();
        };
    return on
        ? Optional.of(
            "the network is on, because the agent needs it for its model; the agent can send what"
                + " it can read")
        : Optional.empty();
  }

  /**
   * Returns a note if the filter of system calls of Midcourse does not apply in a sandbox. Throws
   * if the sandbox does not work on this system.
   */
  public static Optional<String> systemCalls(Sandbox sandbox) throws IOException {
    return SandboxLauncher.ofThisSystem()
        .filterObstacle(sandbox)
        .map(reason ->
            "Midcourse does not filter the system calls of this container, so the agent can create"
                + " Unix sockets and may create user namespaces: "
                + reason);
  }

  /** Returns a note if the limits of a worker do not hold for all its processes together. */
  public static Optional<String> limits(SandboxSpec confinement) throws InterruptedException {
    return SandboxLauncher.ofThisSystem()
        .limitsObstacle(confinement)
        .map(reason ->
            (confinement.memory().isPresent()
                    ? "limits hold per process only"
                    : "the number of processes is not limited")
                + ": "
                + reason);
  }
}
