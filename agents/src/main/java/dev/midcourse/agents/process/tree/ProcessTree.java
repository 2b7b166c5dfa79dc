package dev.midcourse.agents.process.tree;

import dev.midcourse.agents.process.attempt.AttemptFolder;
import dev.midcourse.agents.process.attempt.ProcessMarker;
import dev.midcourse.agents.process.attempt.WrapperRecord;
import dev.midcourse.agents.process.os.Libc;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Everything alive that belongs to one mark, wherever it has put itself.
 *
 * <p>What was once seen to belong is remembered by number and start time, so it stays found when it
 * loses its parents and its environment later.
 */
public final class ProcessTree {

  private final ProcessTable table;
  private final Optional<Libc> libc;
  private final AttemptFolder folder;
  private final ProcessMarker mark;
  private final Set<ProcessId> proved = ConcurrentHashMap.newKeySet();
  private volatile Optional<WrapperRecord> wrapperRecord = Optional.empty();

  public ProcessTree(
      ProcessTable table, Optional<Libc> libc, AttemptFolder folder, ProcessMarker mark) {
    this.table = table;
    this.libc = libc;
    this.folder = folder;
    this.mark = mark;
  }

  /** What is alive now. */
  public List<LiveProcess> alive() throws InterruptedException {
    return look().alive().stream().map(LiveProcess::of).toList();
  }

  /**
   * Ends the tree: asks (by what the caller knows to ask with), waits, sends TERM, waits, sends
   * KILL until two looks in a row find nothing alive. Never says {@link TreeKillResult.Ended} while
   * something of the tree is seen alive.
   */
  public TreeKillResult end(StopTimeouts timeouts, Runnable politeAsk) throws InterruptedException {
    return new ProcessTreeKiller(this, table, new Signals(table, libc), timeouts).run(politeAsk);
  }

  /**
   * One look at what belongs to the tree.
   *
   * @param ownGroups process groups that are all of the tree
   */
  record Snapshot(Collection<ProcessEntry> kin, Set<Long> ownGroups) {

    List<ProcessEntry> alive() {
      return kin.stream().filter(ProcessEntry::isAlive).toList();
    }
  }

  Snapshot look() throws InterruptedException {
    Optional<WrapperRecord> record = wrapperRecord();
    if (!table.readsMarks()) {
      record.flatMap(table::entry).ifPresent(wrapper -> proved.add(wrapper.id()));
    }
    // Nothing of the tree is older than its wrapper.
    long since = record.filter(table::isOfThisBoot).map(WrapperRecord::ticks).orElse(0L);
    ProcessMembership kinship =
        new ProcessMembership(table.entries(since), ProcessHandle.current().pid());
    Collection<ProcessEntry> kin = kinship.of(mark, proved);
    kin.forEach(entry -> proved.add(entry.id()));
    return new Snapshot(kin, kinship.ownGroups(kin));
  }

  /**
   * A look at what descends from a wrapper that adopts, which is everything, and costs next to
   * nothing. Without such a wrapper it is a look at all processes.
   */
  Snapshot quickLook() throws InterruptedException {
    Optional<ProcessEntry> wrapper = wrapper();
    if (wrapper.isEmpty() || wrapperRecord().filter(WrapperRecord::adopts).isEmpty()) {
      return look();
    }
    List<ProcessEntry> kin = new ArrayList<>(table.descendants(wrapper.get().pid()));
    kin.add(wrapper.get());
    kin.removeIf(entry -> entry.pid() <= 1 || entry.pid() == ProcessHandle.current().pid());
    kin.forEach(entry -> proved.add(entry.id()));
    return new Snapshot(kin, Set.of());
  }

  /** Whether the wrapper said that it left after the last of the tree. */
  boolean isWrapperLast() {
    return Files.exists(folder.file(AttemptFolder.GONE), LinkOption.NOFOLLOW_LINKS);
  }

  /** The wrapper, if it lives and is truly ours. */
  public Optional<ProcessEntry> wrapper() {
    return wrapperRecord()
        .flatMap(table::entry)
        .filter(ProcessEntry::isAlive)
        .filter(entry -> !table.readsMarks() || entry.mark().filter(mark::equals).isPresent());
  }

  /** Whether two looks in a row find nothing alive. */
  public boolean isGone() throws InterruptedException {
    boolean onceGone = look().alive().isEmpty();
    return onceGone && look().alive().isEmpty();
  }

  /** Whether the program itself, not all it started, has left its status. */
  boolean programHasEnded() {
    try {
      return folder.exit().isPresent();
    } catch (IOException unreadable) {
      return false;
    }
  }

  /** Read until it is there and then kept: it never changes, and nobody shall change it later. */
  private Optional<WrapperRecord> wrapperRecord() {
    if (wrapperRecord.isEmpty()) {
      try {
        wrapperRecord = folder.wrapper();
      } catch (IOException failure) {
        throw new UncheckedIOException(failure);
      }
    }
    return wrapperRecord;
  }
}
