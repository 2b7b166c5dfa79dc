package dev.midcourse.autopilot;

import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.RefusedException;
import java.time.Duration;

/** Repeats calls of git that another git prevented. */
final class GitRetry {
  private static final Duration RETRY_DELAY = Duration.ofMillis(500);
  private static final int MAX_TRIES = 4;

  private GitRetry() {}

  /** What an act asks git for. */
  interface GitWork<T> {
    T now();
  }

  /**
   * Repeats what git could not do: a git of a hub that was killed may still hold a lock. Other
   * refusals are final.
   */
  static <T> T retrying(GitWork<T> work) throws InterruptedException {
    for (int tries = 1; ; tries++) {
      try {
        return work.now();
      } catch (RefusedException refused) {
        if (refused.problem().code() != Code.UNAVAILABLE || tries == MAX_TRIES) {
          throw refused;
        }
        Thread.sleep(RETRY_DELAY);
      }
    }
  }
}
