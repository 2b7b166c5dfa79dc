package dev.midcourse.core.loop.queue;

import dev.midcourse.core.contract.BranchName;
import dev.midcourse.core.id.LoopId;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.loop.CiVerdict;
import dev.midcourse.core.loop.Loop;
import dev.midcourse.core.loop.LoopCheck;
import dev.midcourse.core.steer.Author;
import java.time.Duration;
import java.time.Instant;

/**
 * A loop that waits to land.
 *
 * @param head the clean commit
 * @param ci the command that tests a merge
 * @param worker the worker of the run of this command
 * @param author the creator of the loop
 * @param tested whether CI was green for the commit as it is
 * @param ciTimeout how long a test may take
 * @param since when it came
 */
public record QueueEntry(
    LoopId loop,
    String head,
    BranchName branch,
    String ci,
    WorkerName worker,
    Author author,
    boolean tested,
    Duration ciTimeout,
    Instant since) {

  /**
   * The entry of a loop that is clean.
   *
   * @throws IllegalStateException if the loop has no CI: nothing could test its merge
   */
  public static QueueEntry of(Loop loop, String head, Instant now) {
    return new QueueEntry(
        loop.id(),
        head,
        loop.spec().branch(),
        loop.spec().ci().orElseThrow(() -> new IllegalStateException(loop.id() + " has no CI")),
        loop.spec().worker(),
        loop.createdBy(),
        loop.check()
            .filter(it -> it.head().equals(head))
            .flatMap(LoopCheck::ci)
            .filter(CiVerdict.Green.class::isInstance)
            .isPresent(),
        loop.spec().ciTimeout(),
        now);
  }

  /** Whether one test can be about both. */
  boolean isTestedLike(QueueEntry other) {
    return ci.equals(other.ci) && worker.equals(other.worker);
  }
}
