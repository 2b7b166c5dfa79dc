package dev.midcourse.ledger.loop;

import dev.midcourse.core.id.LoopId;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.loop.Loop;
import dev.midcourse.core.loop.forge.ForgeWrite;
import dev.midcourse.core.loop.queue.MergeQueue;
import dev.midcourse.core.loop.queue.QueueKey;
import java.util.List;
import java.util.Optional;

/** The queries about loops and the queues in which they wait to land. */
public interface LoopReader {
  Optional<Loop> loop(LoopId id);

  /** The loops that have not ended, oldest first. */
  List<Loop> unended();

  /** The newest loops, also ended ones, newest first. */
  List<Loop> newest(int limit);

  /** The loop that has ordered the run. */
  Optional<LoopId> loopOf(RunId run);

  /** The loop that has this guidance. */
  Optional<LoopId> loopWith(SteerId guidance);

  /** What the loop writes, or has written, to its forge, in the order of the steps. */
  List<ForgeWrite> forgeWrites(LoopId loop);

  /** Loops whose guidance has an id that begins with the prefix, with the whole ids. */
  List<SteerId> guidanceStartingWith(String prefix, int limit);

  /** The merge queue of a branch; empty if no loop has ever waited there. */
  Optional<MergeQueue> queue(QueueKey key);

  /** All merge queues in which loops wait. */
  List<MergeQueue> queues();
}
