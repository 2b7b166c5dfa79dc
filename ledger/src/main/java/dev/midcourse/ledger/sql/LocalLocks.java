package dev.midcourse.ledger.sql;

import dev.midcourse.ledger.StoreLock;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** The locks of a store that one process has: one hub at most uses a data folder. */
final class LocalLocks {
  /** The names of the locks that are held; guarded by this object. */
  private final Set<String> held = new HashSet<>();

  synchronized Optional<StoreLock> tryLock(String name) {
    return held.add(name) ? Optional.of(new LocalLock(name)) : Optional.empty();
  }

  private synchronized void release(LocalLock lock) {
    if (lock.open) {
      lock.open = false;
      held.remove(lock.name);
    }
  }

  private final class LocalLock implements StoreLock {
    private final String name;
    private volatile boolean open = true;

    private LocalLock(String name) {
      this.name = name;
    }

    @Override
    public boolean isHeld() {
      return open;
    }

    @Override
    public void close() {
      release(this);
    }
  }
}
