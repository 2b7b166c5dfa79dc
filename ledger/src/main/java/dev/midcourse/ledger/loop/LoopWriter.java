package dev.midcourse.ledger.loop;

import dev.midcourse.core.loop.Loop;
import dev.midcourse.core.loop.forge.ForgeWrite;
import dev.midcourse.core.loop.queue.MergeQueue;
import java.time.Instant;

/** The changes of loops in one transaction. */
public interface LoopWriter extends LoopReader {
  /** Inserts or replaces the loop, and enters the runs of its calls and its guidance. */
  void put(Loop loop);

  /** Inserts or replaces an act in the outbox of forges. */
  void put(ForgeWrite write);

  /** Inserts or replaces the merge queue, and enters the run of its test. */
  void put(MergeQueue queue);

  /** Deletes loops that ended before the instant. */
  void prune(Instant endedBefore);
}
