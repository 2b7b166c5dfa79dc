package dev.midcourse.agents.process.tree;

import dev.midcourse.agents.process.os.Libc;
import java.util.Optional;

/**
 * Signals to processes, each sent only if the number still belongs to the very process that is
 * meant: its start time is compared right before.
 */
final class Signals {

  private final ProcessTable table;
  private final Optional<Libc> libc;

  Signals(ProcessTable table, Optional<Libc> libc) {
    this.table = table;
    this.libc = libc;
  }

  /** Asks it to end; one that is stopped is set going, or it would not notice. */
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

  /** Kills a child that its parent, known to be ours, has at this moment. */
  void killChild(long child) {
    libc.ifPresent(c -> c.kill(child, Libc.SIGKILL));
  }

  /** Kills a whole group at one instant, so that none of its forks slips through. */
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
