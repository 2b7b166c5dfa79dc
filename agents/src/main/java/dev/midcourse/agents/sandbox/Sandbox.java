package dev.midcourse.agents.sandbox;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

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

  /**
   * A container: the files of an image, and of this machine the workspace, the agent's home and
   * what is named.
   *
   * @param network whether it has this machine's; without it not even the loopback
   * @param writable what else of this machine can be written, where it is there
   * @param readable what else of this machine can be read, where it is there
   * @param processes how many there may be at once
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
