package dev.midcourse.core.loop.queue;

import dev.midcourse.core.contract.BranchName;
import dev.midcourse.core.id.HostName;
import dev.midcourse.core.loop.Loop;

/**
 * The branch on which the loops of a queue land.
 *
 * @param host the host that has the repository
 * @param repository the folder of the repository on that host
 */
public record QueueKey(HostName host, String repository, BranchName base) {
  public static QueueKey of(Loop loop) {
    return new QueueKey(loop.spec().host(), loop.spec().repository(), loop.spec().base());
  }

  @Override
  public String toString() {
    return base + " of " + repository;
  }
}
