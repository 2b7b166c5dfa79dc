package dev.midcourse.agents.sandbox;

import java.nio.file.Path;
import java.util.List;

/** What is around an agent's program. */
public sealed interface Sandbox {

  /** Nothing: it has the rights of the user who started the hub. */
  record None() implements Sandbox {}

  /**
   * Bubblewrap: the workspace and the agent's home can be written, the rest of the machine can only
   * be read, and what is hidden is not there.
   *
   * @param network whether there is any; without it not even the loopback of this machine
   * @param writable what else can be written, where it is there
   * @param hidden folders and files that are not there
   */
  record Bubblewrap(boolean network, List<Path> writable, List<Path> hidden) implements Sandbox {
    public Bubblewrap {
      writable = List.copyOf(writable);
      hidden = List.copyOf(hidden);
    }
  }
}
