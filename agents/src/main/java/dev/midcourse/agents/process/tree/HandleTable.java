package dev.midcourse.agents.process.tree;

import dev.midcourse.agents.process.attempt.WrapperRecord;
import java.util.List;
import java.util.Optional;

/**
 * The process table where there is no {@code /proc}, from what the JDK can tell.
 *
 * <p>It knows parents and start times but no environments, groups or sessions: of a tree it finds
 * what still descends from the recorded wrapper or was seen to, and misses a process that left its
 * parents before anybody looked. Zombies are not told apart from the living.
 */
public final class HandleTable implements ProcessTable {

  /** Start times and file times have different clocks and grains. */
  private static final long CLOCK_GRAIN_MILLIS = 1_000;

  @Override
  public List<ProcessEntry> entries(long since) {
    return ProcessHandle.allProcesses().map(HandleTable::entry).toList();
  }

  @Override
  public Optional<ProcessEntry> entry(long pid) {
    return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).map(HandleTable::entry);
  }

  /** A number that was used again started after the record was written. */
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
