package dev.midcourse.agents.sandbox.mount;

import java.io.IOException;
import java.nio.file.Path;

/** The files of this machine that a sandbox mounts. A path that does not exist is ignored. */
interface Mounts {
  void writable(Path path) throws IOException;

  void readable(Path path) throws IOException;

  /** Mounts a folder writable at the place of another one, which the sandbox then cannot see. */
  void writableAt(Path place, Path source) throws IOException;

  /** Mounts a folder read-only at another path. */
  void readableAt(Path place, Path source) throws IOException;

  /**
   * Returns whether the settings of the user give the program this path with everything in it. Only
   * such a path may be mounted because of something that an agent can have written.
   *
   * @param path a path without links
   */
  boolean shows(Path path);
}
