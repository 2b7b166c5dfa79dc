package dev.midcourse.agents.sandbox;

import java.nio.file.Path;
import java.util.List;

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
   * @param unixSockets whether the program can create Unix sockets
   * @param writable further paths that the program can write, where they exist
   * @param hidden folders and files that the program cannot see
   * @param visible paths in hidden folders that the program can read nevertheless
   */
  record Bubblewrap(
      boolean network,
      UnixSockets unixSockets,
      List<Path> writable,
      List<Path> hidden,
      List<Path> visible)
      implements Sandbox {
    /** No network, no sockets, no paths. */
    static final Bubblewrap CLOSED = new Bubblewrap(false, List.of(), List.of());

    public Bubblewrap {
      writable = List.copyOf(writable);
      hidden = List.copyOf(hidden);
      visible = List.copyOf(visible);
    }

    /** Creates a sandbox without Unix sockets. */
    public Bubblewrap(boolean network, List<Path> writable, List<Path> hidden) {
      this(network, UnixSockets.DENIED, writable, hidden, List.of());
    }
  }

  /** Whether a program can create Unix sockets. Pairs for its own processes are always possible. */
  enum UnixSockets {
    /** No socket outside can be reached. */
    DENIED,
    /** Every socket file that the user can write, and that is not hidden, can be reached. */
    ALLOWED
  }

  /**
   * A container: the program has the files of an image and, of this machine, the workspace, the
   * agent's home and the named paths.
   *
   * @param network whether the program has this machine's network; without it not even the loopback
   * @param unixSockets whether the program can create Unix sockets
   * @param writable further paths of this machine that the program can write, where they exist
   * @param readable further paths of this machine that the program can read, where they exist
   * @param hidden folders that the program cannot see, also in a folder that it gets
   */
  record Container(
      ImageName image,
      boolean network,
      UnixSockets unixSockets,
      List<Path> writable,
      List<Path> readable,
      List<Path> hidden)
      implements Sandbox {
    public Container {
      writable = List.copyOf(writable);
      readable = List.copyOf(readable);
      hidden = List.copyOf(hidden);
    }

    /** Returns the same container without these folders. */
    public Container hiding(List<Path> folders) {
      return new Container(image, network, unixSockets, writable, readable, folders);
    }

    /** Creates a sandbox without Unix sockets. */
    public Container(ImageName image, boolean network, List<Path> writable, List<Path> readable) {
      this(image, network, UnixSockets.DENIED, writable, readable, List.of());
    }
  }
}
