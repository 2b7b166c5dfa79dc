package dev.midcourse.autopilot;

import dev.midcourse.core.id.LoopId;
import dev.midcourse.core.loop.Loop;
import dev.midcourse.core.loop.forge.ForgeOrder;
import dev.midcourse.core.loop.remote.LoopStack;
import dev.midcourse.ledger.loop.LoopReader;
import java.util.Optional;

/** Finds the loop on whose branch another loop is based. */
final class LoopsBelow {
  private static final int MAX_STACK = 50;

  private LoopsBelow() {}

  /**
   * The loop whose branch is the base of this one; empty if there is none. After the loop that the
   * order names was merged into the branch of a third one, it is the third one.
   */
  static Optional<Loop> of(Loop loop, LoopReader loops) {
    Optional<Loop> below = on(loop, loops);
    for (int i = 0; i < MAX_STACK && below.isPresent(); i++) {
      if (LoopStack.isOn(loop, below.get())) {
        return below;
      }
      below = on(below.get(), loops);
    }
    return Optional.empty();
  }

  private static Optional<Loop> on(Loop loop, LoopReader loops) {
    Optional<LoopId> id = loop.spec().forge().flatMap(ForgeOrder::on);
    return id.flatMap(loops::loop);
  }
}
