package dev.midcourse.agents.process.tree;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Ends one process tree, once.
 *
 * <p>The wrapper adopts the processes that others leave behind, and it exits by itself after the
 * last of them. It is therefore killed only if it is still alive after half of the kill time-out.
 */
final class ProcessTreeKiller {

  private static final System.Logger LOG = System.getLogger(ProcessTreeKiller.class.getName());

  private static final long FIRST_WAIT_NANOS = TimeUnit.MICROSECONDS.toNanos(500);
  private static final long MAX_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  /**
   * From this round on whole groups are killed, so that no process can fork between two signals.
   */
  private static final int GROUP_ROUND = 3;

  private static final int SHOTS_PER_ROUND = 100;

  private static final int SCANS_AFTER_KILLING_THE_WRAPPER = 5;

  private enum SignalSent {
    NOTHING,
    TERM,
    KILL
  }

  private final ProcessTree tree;
  private final ProcessTable table;
  private final Signals signals;
  private final StopTimeouts timeouts;
  private final long self = ProcessHandle.current().pid();
  private final long began = System.nanoTime();
  private final Map<ProcessId, SignalSent> signalled = new HashMap<>();
  private final Set<Long> shot = new HashSet<>();
  private ProcessTree.Snapshot lastLook;
  private Optional<ProcessId> knownWrapper;
  private boolean wrapperKilled;

  ProcessTreeKiller(ProcessTree tree, ProcessTable table, Signals signals, StopTimeouts timeouts)
      throws InterruptedException {
    this.tree = tree;
    this.table = table;
    this.signals = signals;
    this.timeouts = timeouts;
    this.knownWrapper = tree.wrapper().map(ProcessEntry::id);
    this.lastLook = tree.quickLook();
  }

  TreeKillResult run(Runnable politeAsk) throws InterruptedException {
    remember();
    if (lastLook.alive().isEmpty() && isGone()) {
      return ended();
    }
    if (!timeouts.ask().isZero()) {
      ask(politeAsk);
      if (goneWithin(timeouts.ask(), tree::programHasEnded)) {
        return ended();
      }
      lookQuickly();
    }
    if (!timeouts.term().isZero()) {
      tellAll(SignalSent.TERM);
      if (goneWithin(timeouts.term(), () -> false)) {
        return ended();
      }
    }
    return killAll();
  }

  private static void ask(Runnable politeAsk) {
    Thread.ofVirtual()
        .name("ask")
        .start(() -> {
          try {
            politeAsk.run();
          } catch (RuntimeException failure) {
            LOG.log(
                System.Logger.Level.WARNING,
                "Asking the program to exit failed; it is ended by a signal.",
                failure);
          }
        });
  }

  /**
   * Waits until the tree is gone, {@code enough} holds, or the time is over. Sends TERM to new
   * processes if TERM was sent before. Returns whether the tree is gone.
   */
  private boolean goneWithin(Duration time, BooleanSupplier enough) throws InterruptedException {
    long deadline = System.nanoTime() + time.toNanos();
    long wait = FIRST_WAIT_NANOS;
    while (true) {
      if (isOnlyWrapperLeft()) {
        if (tree.wrapper().isEmpty() && isGone()) {
          return true;
        }
        lookQuickly();
        if (signalled.containsValue(SignalSent.TERM)) {
          tellAll(SignalSent.TERM);
        }
      }
      if (System.nanoTime() >= deadline || enough.getAsBoolean()) {
        return false;
      }
      TimeUnit.NANOSECONDS.sleep(wait);
      wait = Math.min(2 * wait, MAX_WAIT_NANOS);
    }
  }

  private TreeKillResult killAll() throws InterruptedException {
    long deadline = System.nanoTime() + timeouts.kill().toNanos();
    long wrapperSpared = System.nanoTime() + timeouts.kill().toNanos() / 2;
    long wait = FIRST_WAIT_NANOS;
    for (int round = 1; true; round++) {
      Optional<ProcessEntry> wrapper = tree.wrapper();
      tellAll(SignalSent.KILL);
      wrapper.ifPresent(this::killChildren);
      if (round >= GROUP_ROUND) {
        killOwnGroups(wrapper);
      }
      if (wrapper.isPresent() && System.nanoTime() >= wrapperSpared) {
        wrapperKilled = true;
        tell(wrapper.get(), SignalSent.KILL);
      }
      TimeUnit.NANOSECONDS.sleep(wait);
      wait = Math.min(2 * wait, MAX_WAIT_NANOS);
      // A full scan costs much more than a short wait for processes that are about to exit.
      boolean worthALook = round >= GROUP_ROUND || isOnlyWrapperLeft();
      if (worthALook && isGone()) {
        return ended();
      }
      if (System.nanoTime() >= deadline) {
        List<ProcessEntry> survivors = lookAgain();
        if (!survivors.isEmpty()) {
          return new TreeKillResult.Survived(
              survivors.stream().map(LiveProcess::of).toList(), took());
        }
      }
    }
  }

  /**
   * Returns whether enough scans in a row find no living process: one scan if the wrapper recorded
   * the end of the tree, five if the wrapper was killed, and otherwise two.
   */
  private boolean isGone() throws InterruptedException {
    int scans = wrapperKilled ? SCANS_AFTER_KILLING_THE_WRAPPER : tree.isWrapperLast() ? 1 : 2;
    for (int look = 0; look < scans; look++) {
      if (!lookAgain().isEmpty()) {
        return false;
      }
    }
    return true;
  }

  private List<ProcessEntry> lookAgain() throws InterruptedException {
    lastLook = tree.look();
    remember();
    return lastLook.alive();
  }

  private void lookQuickly() throws InterruptedException {
    lastLook = tree.quickLook();
    remember();
  }

  private void remember() {
    lastLook.alive().forEach(entry -> signalled.putIfAbsent(entry.id(), SignalSent.NOTHING));
  }

  private boolean isOnlyWrapperLeft() {
    Optional<ProcessId> wrapper = wrapper();
    return lastLook.alive().stream()
        .map(ProcessEntry::id)
        .filter(id -> wrapper.filter(id::equals).isEmpty())
        .noneMatch(table::isAlive);
  }

  private void tellAll(SignalSent what) {
    Optional<ProcessId> wrapper = wrapper();
    for (ProcessEntry entry : lastLook.alive()) {
      if (wrapper.filter(entry.id()::equals).isEmpty()) {
        tell(entry, what);
      } else {
        signals.resume(entry.id());
      }
    }
  }

  /** Returns the wrapper, also after it can no longer be found in the process table. */
  private Optional<ProcessId> wrapper() {
    knownWrapper = tree.wrapper().map(ProcessEntry::id).or(() -> knownWrapper);
    return knownWrapper;
  }

  private void tell(ProcessEntry entry, SignalSent what) {
    signalled.put(entry.id(), what);
    switch (what) {
      case NOTHING -> {}
      case TERM -> signals.term(entry.id());
      case KILL -> signals.kill(entry.id());
    }
  }

  /**
   * Kills the children of the wrapper. A process that forks and exits repeatedly is gone before a
   * full scan ends. The processes that it leaves are always children of the wrapper, and the list
   * of children is read and killed at once.
   */
  private void killChildren(ProcessEntry wrapper) {
    for (int i = 0; i < SHOTS_PER_ROUND; i++) {
      List<Long> children = table.children(wrapper.pid());
      if (children.isEmpty() || children.contains(self) || !table.isAlive(wrapper.id())) {
        return;
      }
      for (long child : children) {
        signals.killChild(child);
        shot.add(child);
      }
    }
  }

  private void killOwnGroups(Optional<ProcessEntry> wrapper) {
    for (long group : lastLook.ownGroups()) {
      if (wrapper.filter(entry -> entry.group() == group).isEmpty()) {
        signals.killGroup(group);
      }
    }
  }

  private TreeKillResult ended() {
    Map<SignalSent, Integer> counts = new HashMap<>();
    signalled.values().forEach(how -> counts.merge(how, 1, Integer::sum));
    signalled.keySet().forEach(id -> shot.remove(id.pid()));
    return new TreeKillResult.Ended(
        counts.getOrDefault(SignalSent.NOTHING, 0),
        counts.getOrDefault(SignalSent.TERM, 0),
        counts.getOrDefault(SignalSent.KILL, 0) + shot.size(),
        took());
  }

  private Duration took() {
    return Duration.ofNanos(System.nanoTime() - began);
  }
}
