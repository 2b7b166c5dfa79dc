package dev.midcourse.agents.process.tree;

import dev.midcourse.agents.process.attempt.WrapperRecord;
import java.util.List;
import java.util.Optional;

/** The processes of this machine, looked at now. */
public sealed interface ProcessTable extends AutoCloseable permits ProcfsTable, HandleTable {

  /**
   * All processes. Those that started before {@code since} are listed without their mark, which
   * saves half of the work; 0 reads every mark.
   */
  List<ProcessEntry> entries(long since) throws InterruptedException;

  /** One process with its mark, if it is in the table, alive or not. */
  Optional<ProcessEntry> entry(long pid);

  /** The wrapper that wrote the record, if it is this very process that still has its number. */
  Optional<ProcessEntry> entry(WrapperRecord wrapper);

  /** Whether this very process is in the table and not a zombie. */
  boolean isAlive(ProcessId id);

  /** Whether marks can be read at all. */
  boolean readsMarks();

  /** Whether the record's start time can be compared with those of this table. */
  boolean isOfThisBoot(WrapperRecord wrapper);

  /** The children of a process at this moment, at a cost far below that of the whole table. */
  List<Long> children(long pid);

  /** What descends from a process at this moment, without its mark; as cheap as it is few. */
  List<ProcessEntry> descendants(long pid);

  @Override
  void close();
}
