package dev.midcourse.agents.process.tree;

import dev.midcourse.agents.process.attempt.WrapperRecord;
import java.util.List;
import java.util.Optional;

/**
 * The process table from the {@link ProcessHandle} data of the JDK, for systems without {@code
 * /proc}.
 *
 * <p>The table has parents and start times but no environments, groups or sessions. It finds the
 * processes of a tree that descend from the recorded wrapper, now or at an earlier scan. It misses
 * a process that left its parents before the first scan. It does not distinguish zombies from
 * living processes.
 */
public final class HandleTable implements ProcessTable {

  /**
   * The tolerance between process start times and file times, which have different clocks and
   * resolutions.
   */
  private static final long CLOCK_GRAIN_MILLIS = 1_000;

  @Override
  public List<ProcessEntry> entries(long since) {
    return ProcessHandle.allProcesses().map(HandleTable::entry).toList();
  }

  @Override
  public Optional<ProcessEntry> entry(long pid) {
    return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).map(HandleTable::entry);
  }

  /** Rejects a reused process id: its process started after the record was written. */
  @Override
  public Optional<ProcessEntry> entry(WrapperRecord wrapper) {
    long latest = wrapper.written().toEpochMilli() + CLOCK_GRAIN_MILLIS;
    return entry(wrapper.pid())
        .filter(found -> found.id().start() > 0 && found.id().start() <= latest);
  }

  @Override
  public boolean isAlive(ProcessId id) {
    return entry(id.pid()).filter(found -> found.id().equals(id)).isPresent();
  }

  @Override
  public boolean readsMarks() {
    return false;
  }

  @Override
  public boolean isOfThisBoot(WrapperRecord wrapper) {
    return false;
  }

  @Override
  public List<Long> children(long pid) {
    return ProcessHandle.of(pid).stream()
        .flatMap(ProcessHandle::children)
        .map(ProcessHandle::pid)
        .toList();
  }

  @Override
  public List<ProcessEntry> descendants(long pid) {
    return ProcessHandle.of(pid).stream()
        .flatMap(ProcessHandle::descendants)
        .map(HandleTable::entry)
        .toList();
  }

  private static ProcessEntry entry(ProcessHandle handle) {
    ProcessHandle.Info info = handle.info();
    long start = info.startInstant().map(instant -> instant.toEpochMilli()).orElse(-1L);
    return new ProcessEntry(
        new ProcessId(handle.pid(), start),
        handle.parent().map(ProcessHandle::pid).orElse(0L),
        -1,
        -1,
        info.command().orElse("?"),
        '?',
        false,
        Optional.empty());
  }

  @Override
  public void close() {}
}
