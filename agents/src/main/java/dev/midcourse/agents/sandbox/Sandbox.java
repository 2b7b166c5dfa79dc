package dev.midcourse.agents.sandbox;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The isolation of an agent's program. */
public sealed interface Sandbox {

  /** No isolation: the program has the rights of the user who started the hub. */
  record None() implements Sandbox {}

  /**
   * Bubblewrap: the program can write to the workspace and the agent's home, can only read the rest
   * of the machine, and cannot see hidden paths.
   *
   * @param network whether the program has network access; without it not even the loopback of this
   *     machine
   * @param writable further paths that the program can write, where they exist
   * @param hidden folders and files that the program cannot see
   */
  record Bubblewrap(boolean network, List<Path> writable, List<Path> hidden) implements Sandbox {
    public Bubblewrap {
      writable = List.copyOf(writable);
      hidden = List.copyOf(hidden);
    }
  }

  /**
   * A container: the program has the files of an image and, of this machine, the workspace, the
   * agent's home and the named paths.
   *
   * @param network whether the program has this machine's network; without it not even the loopback
   * @param writable further paths of this machine that the program can write, where they exist
   * @param readable further paths of this machine that the program can read, where they exist
   * @param processes the largest number of processes at the same time
   */
  record Container(
      ImageName image,
      boolean network,
      List<Path> writable,
      List<Path> readable,
      Optional<Integer> processes)
      implements Sandbox {
    public Container {
      writable = List.copyOf(writable);
      readable = List.copyOf(readable);
    }
  }
}
