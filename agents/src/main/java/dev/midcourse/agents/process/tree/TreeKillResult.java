package dev.midcourse.agents.process.tree;

import java.time.Duration;
import java.util.List;

/** The result of ending a tree. */
public sealed interface TreeKillResult {

  Duration took();

  /**
   * No process of the tree is alive.
   *
   * @param byThemselves processes that exited without a signal
   */
  record Ended(int byThemselves, int byTerm, int byKill, Duration took) implements TreeKillResult {

    public int processes() {
      return byThemselves + byTerm + byKill;
    }
  }

  /** A process of the tree is still alive, for instance because it hangs in the kernel. */
  record Survived(List<LiveProcess> survivors, Duration took) implements TreeKillResult {

    public Survived {
      survivors = List.copyOf(survivors);
    }
  }
}
