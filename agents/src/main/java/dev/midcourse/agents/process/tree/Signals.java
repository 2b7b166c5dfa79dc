package dev.midcourse.agents.process.tree;

import dev.midcourse.agents.process.os.Libc;
import java.util.Optional;

/**
 * Sends signals to processes. {@link #term}, {@link #kill} and {@link #resume} compare the start
 * time of the process directly before, so that a process with a reused number gets no signal.
 */
final class Signals {

  private final ProcessTable table;
  private final Optional<Libc> libc;

  Signals(ProcessTable table, Optional<Libc> libc) {
    this.table = table;
    this.libc = libc;
  }

  /** Sends TERM. Also resumes the process, because a stopped process does not handle TERM. */
  void term(ProcessId id) {
    if (libc.isPresent()) {
      send(id, Libc.SIGTERM);
      resume(id);
    } else {
      handle(id).ifPresent(ProcessHandle::destroy);
    }
  }

  void kill(ProcessId id) {
    if (libc.isPresent()) {
      send(id, Libc.SIGKILL);
    } else {
      handle(id).ifPresent(ProcessHandle::destroyForcibly);
    }
  }

  void resume(ProcessId id) {
    send(id, Libc.SIGCONT);
  }

  /** Kills a process that was read a moment ago as a child of a process of the tree. */
  void killChild(long child) {
    libc.ifPresent(c -> c.kill(child, Libc.SIGKILL));
  }

  /** Kills a whole group at one instant, so that no fork of the group escapes. */
  void killGroup(long group) {
    libc.ifPresent(c -> c.kill(-group, Libc.SIGKILL));
  }

  private void send(ProcessId id, int signal) {
    if (libc.isPresent() && table.isAlive(id)) {
      libc.get().kill(id.pid(), signal);
    }
  }

  private Optional<ProcessHandle> handle(ProcessId id) {
    return table.isAlive(id) ? ProcessHandle.of(id.pid()) : Optional.empty();
  }
}
