package dev.midcourse.core.loop.remote;

import dev.midcourse.core.loop.Loop;
import dev.midcourse.core.loop.LoopPhase;
import dev.midcourse.core.loop.forge.ChangeSnapshot;
import dev.midcourse.core.loop.forge.ForgeOrder;
import dev.midcourse.core.loop.forge.LoopForge;
import java.util.Optional;

/**
 * A loop that is based on the branch of another loop's change, and the base that it gets when that
 * change is merged.
 */
public final class LoopStack {
  private LoopStack() {}

  /** Whether the change of the first loop is to be merged into the branch of the second one. */
  public static boolean isOn(Loop above, Loop below) {
    Optional<ForgeOrder> order = above.spec().forge().filter(it -> it.on().isPresent());
    return order.isPresent()
        && !above.phase().hasEnded()
        && order.map(ForgeOrder::name).equals(below.spec().forge().map(ForgeOrder::name))
        && order.map(ForgeOrder::project).equals(below.spec().forge().map(ForgeOrder::project))
        && above.forge().map(LoopForge::base).equals(Optional.of(below.spec().branch().value()));
  }

  /** The base of the loop above, if the loop below is known to have landed. */
  public static Optional<String> baseAfterLanding(Loop above, Loop below) {
    boolean landed = below.phase() == LoopPhase.DONE && below.land();
    return isOn(above, below) && landed ? below.forge().map(LoopForge::base) : Optional.empty();
  }

  /**
   * Whether the change of the loop below is to be looked at, because somebody may have merged it. A
   * loop that goes on looks at its change itself. Some forges change the base of the upper change
   * when the lower one is merged: then nobody has retargeted it, and the look cannot wait.
   *
   * @param seen the base that the forge shows for the change of the loop above
   */
  public static boolean isLookNeeded(Loop above, Loop below, String seen) {
    boolean moved = !seen.equals(below.spec().branch().value());
    return isOn(above, below) && (below.phase().hasEnded() || moved);
  }

  /** The base of the loop above after this look at the change of the loop below. */
  public static Optional<String> baseAfter(ChangeSnapshot below) {
    return below.state() == ChangeSnapshot.State.MERGED
        ? Optional.of(below.base())
        : Optional.empty();
  }
}
