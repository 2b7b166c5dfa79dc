package dev.midcourse.agents.process;

import java.util.Optional;

/** One process of the process table at the moment of a look. */
record ProcessEntry(
    ProcessId id,
    long parent,
    long group,
    long session,
    String name,
    char state,
    boolean zombie,
    Optional<Mark> mark) {

  long pid() {
    return id.pid();
  }

  boolean isAlive() {
    return !zombie;
  }
}
