package dev.midcourse.hub.redis;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The sessions whose lists are to be read, each once, and whether all lists are to be scanned. */
final class DueSessions {
  /** The sessions in the order in which they became due; guarded by this. */
  private final Set<SessionName> due = new LinkedHashSet<>();

  /** Whether a scan is due; guarded by this. The first step is a scan. */
  private boolean scanDue = true;

  /** One step of work. */
  record Step(boolean scan, List<SessionName> sessions) {}

  synchronized void add(SessionName session) {
    if (due.add(session)) {
      notifyAll();
    }
  }

  synchronized void addScan() {
    scanDue = true;
    notifyAll();
  }

  /** Puts back a step that failed. */
  synchronized void putBack(Step step) {
    scanDue |= step.scan();
    due.addAll(step.sessions());
  }

  /**
   * Waits for work. Without work, a scan is due after the given time.
   *
   * @param scanAfter empty if only notifications make work
   */
  synchronized Step await(Optional<Duration> scanAfter) throws InterruptedException {
    long deadline = System.nanoTime() + scanAfter.map(Duration::toNanos).orElse(0L);
    while (!scanDue && due.isEmpty()) {
      if (scanAfter.isEmpty()) {
        wait();
      } else {
        long left = (deadline - System.nanoTime()) / 1_000_000;
        if (left <= 0) {
          scanDue = true;
        } else {
          wait(left);
        }
      }
    }
    Step step = new Step(scanDue, List.copyOf(due));
    scanDue = false;
    due.clear();
    return step;
  }
}
