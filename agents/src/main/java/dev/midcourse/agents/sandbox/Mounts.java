package dev.midcourse.agents.sandbox;

import java.io.IOException;
import java.nio.file.Path;

/** The files of this machine that a sandbox mounts. A path that does not exist is ignored. */
interface Mounts {
  void writable(Path path) throws IOException;

  void readable(Path path) throws IOException;
}
