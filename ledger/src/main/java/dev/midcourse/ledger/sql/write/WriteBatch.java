package dev.midcourse.ledger.sql.write;

import dev.midcourse.ledger.Ledger.Priority;
import dev.midcourse.ledger.Log.LogEntry;
import dev.midcourse.ledger.sql.jdbc.Dialect;
import dev.midcourse.ledger.sql.jdbc.SqlSession;
import dev.midcourse.ledger.sql.jdbc.StoreErrors;
import dev.midcourse.ledger.sql.table.EventTable;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** One transaction's worth of works. Each keeps or loses its own changes. */
public final class WriteBatch {
  private final Dialect dialect;
  private final SqlSession on;
  private final long cursor;
  private final WriteBehindBuffer buffer;
  private final List<PendingWrites> drafts = new ArrayList<>();
  private boolean awaited;

  public WriteBatch(Dialect dialect, WriterConnection.Begun begun) {
    this.dialect = dialect;
    this.on = begun.on();
    this.cursor = begun.cursor();
    this.buffer = new WriteBehindBuffer(on, dialect);
  }

  /** Whether somebody waits for one of the works. */
  boolean awaited() {
    return awaited;
  }

  /** Does one work. */
  public void perform(WriteTask<?> task) {
    awaited |= task.priority() != Priority.LAZY;
    PendingWrites draft = new PendingWrites(task);
    drafts.add(draft);
    buffer.save();
    task.perform(new SqlTransaction(on, buffer, draft));
    judge(task, on.failure());
    if (task.failed()) {
      buffer.drop(draft);
    } else {
      buffer.keep(draft);
    }
  }

  /**
   * A work whose statement failed has failed, even if it caught the error; and when the store
   * itself failed, so have its neighbours.
   */
  private void judge(WriteTask<?> task, Optional<SQLException> failure) {
    if (failure.isEmpty()) {
      return;
    }
    RuntimeException refusal = dialect.refusal(failure.get());
    if (StoreErrors.ofTheStore(refusal)) {
      throw refusal;
    }
    if (!task.failed()) {
      task.fail(refusal);
    }
  }

  /** Makes durable what the works have left, and returns what they told the log. */
  public List<LogEntry> commit() {
    buffer.tell();
    if (drafts.stream().noneMatch(PendingWrites::leavesSomething)) {
      on.update("ROLLBACK");
      return List.of();
    }
    List<LogEntry> entries = new ArrayList<>();
    drafts.stream()
        .filter(draft -> !draft.failed())
        .forEach(draft -> draft.addEntries(cursor, entries));
    EventTable.insert(on, entries);
    dialect.commit(on, cursor + entries.size(), !entries.isEmpty());
    return entries;
  }
}
