package dev.midcourse.agents.process.tree;

import dev.midcourse.agents.process.attempt.WrapperRecord;
import java.util.List;
import java.util.Optional;

/** The current processes of this machine. */
public sealed interface ProcessTable extends AutoCloseable permits ProcfsTable, HandleTable {

  /**
   * Returns all processes. Processes that started before {@code since} are listed without their
   * mark, which saves half of the work. With 0, every mark is read.
   */
  List<ProcessEntry> entries(long since) throws InterruptedException;

  /** Returns one process with its mark, if the process is in the table, alive or not. */
  Optional<ProcessEntry> entry(long pid);

  /** Returns the wrapper that wrote the record, if the same process still has that number. */
  Optional<ProcessEntry> entry(WrapperRecord wrapper);

  /** Returns whether exactly this process is in the table and is not a zombie. */
  boolean isAlive(ProcessId id);

  /** Returns whether the table can read marks. */
  boolean readsMarks();

  /** Returns whether the record's start time can be compared with the start times of this table. */
  boolean isOfThisBoot(WrapperRecord wrapper);

  /** Returns the current children of a process. Costs much less than a scan of the whole table. */
  List<Long> children(long pid);

  /**
   * Returns the current descendants of a process, without their marks. The cost grows with the
   * number of descendants.
   */
  List<ProcessEntry> descendants(long pid);

  @Override
  void close();
}
