package dev.midcourse.agents.process.tree;

import java.time.Duration;
import java.util.List;

/** How the ending of a tree went. */
public sealed interface TreeKillResult {

  Duration took();

  /**
   * Nothing of the tree is alive.
   *
   * @param byThemselves gone without a signal, asked or not
   */
  record Ended(int byThemselves, int byTerm, int byKill, Duration took) implements TreeKillResult {

    public int processes() {
      return byThemselves + byTerm + byKill;
    }
  }

  /** Something of the tree is still alive, for instance because it hangs in the kernel. */
  record Survived(List<LiveProcess> survivors, Duration took) implements TreeKillResult {

    public Survived {
      survivors = List.copyOf(survivors);
    }
  }
}
