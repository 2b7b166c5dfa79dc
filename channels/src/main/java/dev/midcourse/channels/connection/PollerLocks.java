package dev.midcourse.channels.connection;

import dev.midcourse.ledger.StoreLock;
import java.util.Optional;

/** Locks between all processes that could receive with the same token, on whatever host. */
@FunctionalInterface
public interface PollerLocks {

  /**
   * Takes the lock if it is free.
   *
   * @param name names the token without containing it
   */
  Optional<StoreLock> tryLock(String name);
}
