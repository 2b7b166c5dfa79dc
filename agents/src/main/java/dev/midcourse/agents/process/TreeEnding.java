package dev.midcourse.agents.process;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * One ending of one tree.
 *
 * <p>The wrapper is spared as long as anything else lives: it adopts what the others leave behind
 * and leaves by itself after the last of them. Only one that stays alone is killed too.
 */
final class TreeEnding {

  private static final System.Logger LOG = System.getLogger(TreeEnding.class.getName());

  private static final long FIRST_WAIT_NANOS = TimeUnit.MICROSECONDS.toNanos(500);
  private static final long LONGEST_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  /** From this round on whole groups are killed: no fork slips through between two signals. */
  private static final int GROUP_ROUND = 3;

  private static final int SHOTS_PER_ROUND = 100;

  /** Two looks that find nothing; more when the one who would have adopted was killed. */
  private static final int QUIET_LOOKS = 2;

  private static final int QUIET_LOOKS_WITHOUT_WRAPPER = 5;

  private enum Told {
    NOTHING,
    TERM,
    KILL
  }

  private final ProcessTree tree;
  private final ProcessTable table;
  private final Optional<Libc> libc;
  private final Grace grace;
  private final long self = ProcessHandle.current().pid();
  private final long began = System.nanoTime();
  private final Map<ProcessId, Told> told = new HashMap<>();
  private final Set<Long> shot = new HashSet<>();
  private ProcessTree.Look lastLook;
  private boolean wrapperKilled;

  TreeEnding(ProcessTree tree, ProcessTable table, Optional<Libc> libc, Grace grace)
      throws InterruptedException {
    this.tree = tree;
    this.table = table;
    this.libc = libc;
    this.grace = grace;
    this.lastLook = tree.look();
  }

  Ending run(Runnable politeAsk) throws InterruptedException {
    remember();
    if (lastLook.alive().isEmpty() && isGone()) {
      return ended();
    }
    if (!grace.ask().isZero()) {
      ask(politeAsk);
      if (goneWithin(grace.ask(), tree::programHasEnded)) {
        return ended();
      }
    }
    if (!grace.term().isZero()) {
      lookAgain();
      tellAll(Told.TERM);
      if (goneWithin(grace.term(), () -> false)) {
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
            LOG.log(System.Logger.Level.WARNING, "asking did not work", failure);
          }
        });
  }

  /** Waits, passing TERM on to newcomers once it was sent, until all are gone or it is enough. */
  private boolean goneWithin(Duration time, BooleanSupplier enough) throws InterruptedException {
    long deadline = System.nanoTime() + time.toNanos();
    long wait = FIRST_WAIT_NANOS;
    while (true) {
      if (noneOfLastLookIsAlive()) {
        if (isGone()) {
          return true;
        }
        if (told.containsValue(Told.TERM)) {
          tellAll(Told.TERM);
        }
      }
      if (System.nanoTime() >= deadline || enough.getAsBoolean()) {
        return false;
      }
      TimeUnit.NANOSECONDS.sleep(wait);
      wait = Math.min(2 * wait, LONGEST_WAIT_NANOS);
    }
  }

  private Ending killAll() throws InterruptedException {
    long deadline = System.nanoTime() + grace.kill().toNanos();
    long wrapperSpared = System.nanoTime() + grace.kill().toNanos() / 2;
    long wait = FIRST_WAIT_NANOS;
    for (int round = 1; !isGone(); round++) {
      Optional<ProcessEntry> wrapper = tree.wrapper();
      tellAll(Told.KILL);
      wrapper.ifPresent(this::killItsChildren);
      if (round >= GROUP_ROUND) {
        killOwnGroups(wrapper);
      }
      if (wrapper.isPresent() && System.nanoTime() >= wrapperSpared) {
        wrapperKilled = true;
        tell(wrapper.get(), Told.KILL);
      }
      if (System.nanoTime() >= deadline) {
        List<ProcessEntry> survivors = lookAgain();
        if (!survivors.isEmpty()) {
          return new Ending.Survived(survivors.stream().map(LiveProcess::of).toList(), took());
        }
      }
      TimeUnit.NANOSECONDS.sleep(wait);
      wait = Math.min(2 * wait, LONGEST_WAIT_NANOS);
    }
    return ended();
  }

  /** Some looks in a row, at least two, that find nothing alive. */
  private boolean isGone() throws InterruptedException {
    int looks = wrapperKilled ? QUIET_LOOKS_WITHOUT_WRAPPER : QUIET_LOOKS;
    for (int look = 0; look < looks; look++) {
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

  private void remember() {
    lastLook.alive().forEach(entry -> told.putIfAbsent(entry.id(), Told.NOTHING));
  }

  private boolean noneOfLastLookIsAlive() {
    return lastLook.alive().stream().noneMatch(entry -> table.isAlive(entry.id()));
  }

  private void tellAll(Told what) {
    Optional<ProcessId> wrapper = tree.wrapper().map(ProcessEntry::id);
    for (ProcessEntry entry : lastLook.alive()) {
      if (wrapper.filter(entry.id()::equals).isEmpty()) {
        tell(entry, what);
      } else {
        signal(entry.id(), Libc.SIGCONT);
      }
    }
  }

  private void tell(ProcessEntry entry, Told what) {
    told.put(entry.id(), what);
    switch (what) {
      case NOTHING -> {}
      case TERM -> {
        signal(entry.id(), Libc.SIGTERM);
        // One that is stopped would not notice.
        signal(entry.id(), Libc.SIGCONT);
      }
      case KILL -> signal(entry.id(), Libc.SIGKILL);
    }
  }

  /** Only to this very process: its start time is compared right before. */
  private void signal(ProcessId id, int signal) {
    if (!table.isAlive(id)) {
      return;
    }
    if (libc.isPresent()) {
      libc.get().kill(id.pid(), signal);
      return;
    }
    ProcessHandle.of(id.pid())
        .ifPresent(handle -> {
          if (signal == Libc.SIGKILL) {
            handle.destroyForcibly();
          } else if (signal == Libc.SIGTERM) {
            handle.destroy();
          }
        });
  }

  /**
   * A program that forks and leaves over and over is gone before a whole look is done. What it
   * leaves is always a child of the wrapper, and that list is read and acted on at once.
   */
  private void killItsChildren(ProcessEntry wrapper) {
    if (libc.isEmpty()) {
      return;
    }
    for (int i = 0; i < SHOTS_PER_ROUND; i++) {
      List<Long> children = table.children(wrapper.pid());
      if (children.isEmpty() || children.contains(self) || !table.isAlive(wrapper.id())) {
        return;
      }
      for (long child : children) {
        libc.get().kill(child, Libc.SIGKILL);
        shot.add(child);
      }
    }
  }

  private void killOwnGroups(Optional<ProcessEntry> wrapper) {
    if (libc.isEmpty()) {
      return;
    }
    Collection<ProcessEntry> alive = lastLook.alive();
    for (long group : lastLook.kinship().ownGroups(alive)) {
      if (wrapper.filter(entry -> entry.group() == group).isEmpty()) {
        libc.get().kill(-group, Libc.SIGKILL);
      }
    }
  }

  private Ending ended() {
    Map<Told, Integer> counts = new HashMap<>();
    told.values().forEach(how -> counts.merge(how, 1, Integer::sum));
    told.keySet().forEach(id -> shot.remove(id.pid()));
    return new Ending.Ended(
        counts.getOrDefault(Told.NOTHING, 0),
        counts.getOrDefault(Told.TERM, 0),
        counts.getOrDefault(Told.KILL, 0) + shot.size(),
        took());
  }

  private Duration took() {
    return Duration.ofNanos(System.nanoTime() - began);
  }
}
