package dev.midcourse.channels.connection;

import dev.midcourse.ledger.StoreLock;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Locks within this process. */
public final class ProcessLocks implements PollerLocks {
  private final Set<String> held = ConcurrentHashMap.newKeySet();

  @Override
  public Optional<StoreLock> tryLock(String name) {
    return held.add(name) ? Optional.of(new HeldInProcess(name)) : Optional.empty();
  }

  private final class HeldInProcess implements StoreLock {
    private final String name;
    private volatile boolean open = true;

    private HeldInProcess(String name) {
      this.name = name;
    }

    @Override
    public boolean isHeld() {
      return open;
    }

    @Override
    public void close() {
      if (open) {
        open = false;
        held.remove(name);
      }
    }
  }
}
