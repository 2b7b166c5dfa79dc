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
 * All living processes that belong to one mark.
 *
 * <p>The tree remembers its members by number and start time, so a member is still found when it
 * later loses its parents and its environment.
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

  /** Returns the processes that are alive now. */
  public List<LiveProcess> alive() throws InterruptedException {
    return look().alive().stream().map(LiveProcess::of).toList();
  }

  /**
   * Ends the tree: runs {@code politeAsk}, waits, sends TERM, waits, and sends KILL until enough
   * scans in a row find no living process. Never returns {@link TreeKillResult.Ended} while a scan
   * finds a process of the tree alive.
   */
  public TreeKillResult end(StopTimeouts timeouts, Runnable politeAsk) throws InterruptedException {
    return new ProcessTreeKiller(this, table, new Signals(table, libc), timeouts).run(politeAsk);
  }

  /**
   * The members of the tree at one scan.
   *
   * @param ownGroups process groups whose processes are all of the tree
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
    // No process of the tree is older than its wrapper.
    long since = record.filter(table::isOfThisBoot).map(WrapperRecord::ticks).orElse(0L);
    ProcessMembership membership =
        new ProcessMembership(table.entries(since), ProcessHandle.current().pid());
    Collection<ProcessEntry> kin = membership.of(mark, proved);
    kin.forEach(entry -> proved.add(entry.id()));
    return new Snapshot(kin, membership.ownGroups(kin));
  }

  /**
   * Scans only the descendants of the wrapper if the wrapper adopts orphaned processes. They are
   * then the whole tree, and the scan is cheap. Without such a wrapper, scans all processes.
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

  /** Returns whether the wrapper recorded that it exited after the last process of the tree. */
  boolean isWrapperLast() {
    return Files.exists(folder.file(AttemptFolder.GONE), LinkOption.NOFOLLOW_LINKS);
  }

  /** Returns the wrapper, if it is alive and, where marks can be read, carries this mark. */
  public Optional<ProcessEntry> wrapper() {
    return wrapperRecord()
        .flatMap(table::entry)
        .filter(ProcessEntry::isAlive)
        .filter(entry -> !table.readsMarks() || entry.mark().filter(mark::equals).isPresent());
  }

  /** Returns whether two scans in a row find no living process. */
  public boolean isGone() throws InterruptedException {
    boolean onceGone = look().alive().isEmpty();
    return onceGone && look().alive().isEmpty();
  }

  /**
   * Returns whether the program itself has left its exit status. Processes that it started may
   * still be alive.
   */
  boolean programHasEnded() {
    try {
      return folder.exit().isPresent();
    } catch (IOException unreadable) {
      return false;
    }
  }

  /**
   * Reads the record until it exists and then keeps it. The record never changes, and a later
   * change of the file must have no effect.
   */
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
