package dev.midcourse.agents.process.tree;

import dev.midcourse.agents.process.attempt.ProcessMarker;
import java.util.Optional;

/** One process of the process table at the moment of a scan. */
public record ProcessEntry(
    ProcessId id,
    long parent,
    long group,
    long session,
    String name,
    char state,
    boolean zombie,
    Optional<ProcessMarker> mark) {

  long pid() {
    return id.pid();
  }

  boolean isAlive() {
    return !zombie;
  }
}
