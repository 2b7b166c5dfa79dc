package dev.midcourse.agents.sandbox;

import java.io.IOException;
import java.nio.file.Path;

/** What of the machine's files is mounted, where it is there: what comes later lies above. */
interface Mounts {
  void writable(Path path) throws IOException;

  void readable(Path path) throws IOException;
}
