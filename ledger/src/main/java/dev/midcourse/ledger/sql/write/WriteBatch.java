package dev.midcourse.ledger.sql.write;

import dev.midcourse.ledger.Ledger.Priority;
import dev.midcourse.ledger.Log.LogEntry;
import dev.midcourse.ledger.sql.jdbc.Dialect;
import dev.midcourse.ledger.sql.jdbc.SqlSession;
import dev.midcourse.ledger.sql.jdbc.StoreErrors;
import dev.midcourse.ledger.sql.table.EventTable;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** The tasks of one transaction. Each task keeps or loses its own changes. */
public final class WriteBatch {
  private final Dialect dialect;
  private final SqlSession on;
  private final long cursor;
  private final WriteBehindBuffer buffer;
  private boolean urgent;

  public WriteBatch(Dialect dialect, WriterConnection.OpenTransaction begun) {
    this.dialect = dialect;
    this.on = begun.on();
    this.cursor = begun.cursor();
    this.buffer = new WriteBehindBuffer(on, dialect);
  }

  /** Whether one of the tasks is not lazy. */
  boolean isUrgent() {
    return urgent;
  }

  /** Runs one task. */
  public void perform(WriteTask<?> task) {
    urgent |= task.priority() != Priority.LAZY;
    WriteBehindBuffer.TaskChanges changes = buffer.begin(task);
    task.perform(new SqlTransaction(on, changes));
    judge(task, on.failure());
    buffer.end(changes);
  }

  /**
   * Fails a task whose statement was rejected, even if the task caught the exception. If the store
   * itself failed, the whole batch fails.
   */
  private void judge(WriteTask<?> task, Optional<SQLException> failure) {
    if (failure.isEmpty()) {
      return;
    }
    RuntimeException refusal = dialect.refusal(failure.get());
    if (StoreErrors.isStoreError(refusal)) {
      throw refusal;
    }
    if (!task.failed()) {
      task.fail(refusal);
    }
  }

  /** Makes the changes of the successful tasks durable and returns their log entries. */
  public List<LogEntry> commit() {
    buffer.flush();
    if (buffer.isEmpty()) {
      on.update("ROLLBACK");
      return List.of();
    }
    List<LogEntry> entries = buffer.entriesAfter(cursor);
    EventTable.insert(on, entries);
    dialect.commit(on, cursor + entries.size(), !entries.isEmpty());
    return entries;
  }
}
