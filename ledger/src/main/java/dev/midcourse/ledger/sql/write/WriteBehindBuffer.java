package dev.midcourse.ledger.sql.write;

import dev.midcourse.core.id.RunId;
import dev.midcourse.ledger.Log.LogEntry;
import dev.midcourse.ledger.sql.jdbc.Dialect;
import dev.midcourse.ledger.sql.jdbc.SqlSession;
import dev.midcourse.ledger.sql.jdbc.StoreErrors;
import dev.midcourse.ledger.sql.table.ChangeRecorder;
import dev.midcourse.ledger.sql.table.Subject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Write-behind buffer of one transaction. It keeps the changes of each task and sends them to the
 * store when a task reads a subject that has unsent changes, and before the commit. On PostgreSQL
 * all pending changes are sent together; if the store rejects them, they are sent again task by
 * task, so that only the faulty task loses its changes. On SQLite they are always sent task by
 * task. A task never runs twice; only its recorded statements may be sent twice.
 *
 * <p>The savepoint {@code work} separates the tasks. Before the changes of a task are sent, the
 * savepoint is moved behind all that was sent before, so a rollback to it undoes this task only.
 */
final class WriteBehindBuffer {
  private record Change(String sql, List<Object> values) {}

  private record Event(Instant at, RunId run, String kind, String json) {}

  private final SqlSession on;
  private final Dialect dialect;

  /** All tasks of the transaction, in their order. */
  private final List<TaskChanges> tasks = new ArrayList<>();

  /** The finished tasks whose changes have not been sent, in their order. */
  private final List<TaskChanges> pending = new ArrayList<>();

  /** The subjects of the pending tasks. */
  private final Set<Subject> pendingSubjects = new HashSet<>();

  /** Whether the savepoint is behind everything that was sent. */
  private boolean savepointMoved = true;

  /** For a transaction that has just begun, with its savepoint set. */
  WriteBehindBuffer(SqlSession on, Dialect dialect) {
    this.on = on;
    this.dialect = dialect;
  }

  /** The recorded changes and events of one task. */
  final class TaskChanges implements ChangeRecorder {
    private final WriteTask<?> task;
    private final List<Change> unsent = new ArrayList<>();
    private final Set<Subject> unsentSubjects = new HashSet<>();
    private final List<Event> events = new ArrayList<>();
    private boolean partlySent;

    private TaskChanges(WriteTask<?> task) {
      this.task = task;
    }

    /** Declares that the next changes concern the subject, so that later reads of it see them. */
    TaskChanges about(Subject subject) {
      unsentSubjects.add(subject);
      return this;
    }

    @Override
    public void add(String sql, Object... values) {
      unsent.add(new Change(sql, List.of(values)));
    }

    void append(Instant at, RunId run, String kind, String json) {
      events.add(new Event(at, run, kind, json));
    }

    /** Sends all changes that the task must see before it reads the subject. */
    void beforeRead(Subject subject) {
      if (unsentSubjects.contains(subject)) {
        send();
      } else if (pendingSubjects.contains(subject)) {
        sendPending();
      }
    }

    /** Sends all changes that the task must see before a query that may concern every subject. */
    void beforeReadOfAll() {
      if (unsentSubjects.isEmpty()) {
        sendPending();
      } else {
        send();
      }
    }

    /** Sends the changes of all earlier tasks and the changes of this task until now. */
    void send() {
      sendPending();
      partlySent = true;
      sendInOrder(List.of(this));
      unsent.clear();
      unsentSubjects.clear();
    }

    private boolean leavesSomething() {
      return !task.failed() && (partlySent || !unsent.isEmpty() || !events.isEmpty());
    }
  }

  /** Begins a task; the task records its changes in the returned object. */
  TaskChanges begin(WriteTask<?> task) {
    moveSavepoint();
    TaskChanges changes = new TaskChanges(task);
    tasks.add(changes);
    return changes;
  }

  /**
   * Ends a task. The changes of a failed task are dropped. If a part of the changes was sent
   * already, the rest is sent now, because the savepoint covers one task only.
   */
  void end(TaskChanges changes) {
    if (changes.task.failed()) {
      if (changes.partlySent || on.failure().isPresent()) {
        rollBack();
      }
    } else if (changes.partlySent) {
      sendTask(changes);
    } else if (!changes.unsentSubjects.isEmpty()) {
      pending.add(changes);
      pendingSubjects.addAll(changes.unsentSubjects);
    }
  }

  /** Sends all pending changes. A task whose changes are rejected fails alone. */
  void flush() {
    if (pending.isEmpty()) {
      return;
    }
    List<TaskChanges> all = List.copyOf(pending);
    pending.clear();
    pendingSubjects.clear();
    if (!dialect.isRemote() || !sentTogether(all)) {
      all.forEach(this::sendTask);
    }
  }

  /** Whether no successful task has changed the store or appended an event. */
  boolean isEmpty() {
    return tasks.stream().noneMatch(TaskChanges::leavesSomething);
  }

  /** The log entries of the successful tasks, numbered from the cursor on. */
  List<LogEntry> entriesAfter(long cursor) {
    List<LogEntry> entries = new ArrayList<>();
    for (TaskChanges changes : tasks) {
      if (!changes.task.failed()) {
        for (Event event : changes.events) {
          long next = cursor + entries.size() + 1;
          entries.add(new LogEntry(next, event.at(), event.run(), event.kind(), event.json()));
        }
      }
    }
    return entries;
  }

  /**
   * If a statement of the running task was rejected, the task is lost; its rollback comes first.
   */
  private void sendPending() {
    if (on.failure().isEmpty()) {
      flush();
      moveSavepoint();
    }
  }

  private boolean sentTogether(List<TaskChanges> all) {
    moveSavepoint();
    try {
      sendInOrder(all);
      savepointMoved = false;
      return true;
    } catch (RuntimeException rejected) {
      rollBackAfter(rejected);
      return false;
    }
  }

  private void sendTask(TaskChanges changes) {
    moveSavepoint();
    try {
      sendInOrder(List.of(changes));
      savepointMoved = false;
    } catch (RuntimeException rejected) {
      rollBackAfter(rejected);
      changes.task.fail(rejected);
    }
  }

  /** Sends the changes of these tasks; consecutive changes with the same SQL go as one batch. */
  private void sendInOrder(List<TaskChanges> some) {
    List<Change> all = some.stream().flatMap(changes -> changes.unsent.stream()).toList();
    int from = 0;
    while (from < all.size()) {
      String sql = all.get(from).sql();
      List<List<Object>> rows = new ArrayList<>();
      for (; from < all.size() && all.get(from).sql().equals(sql); from++) {
        rows.add(all.get(from).values());
      }
      on.updateEach(sql, rows);
    }
  }

  private void moveSavepoint() {
    if (!savepointMoved) {
      dialect.moveSavepoint(on);
      savepointMoved = true;
    }
  }

  /** If the store itself failed, the whole transaction fails. */
  private void rollBackAfter(RuntimeException rejected) {
    if (StoreErrors.isStoreError(rejected)) {
      throw rejected;
    }
    rollBack();
  }

  private void rollBack() {
    on.forget();
    on.update("ROLLBACK TO SAVEPOINT work");
  }
}
