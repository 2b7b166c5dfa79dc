package dev.midcourse.ledger.sql.write;

import dev.midcourse.core.id.RunId;
import dev.midcourse.ledger.Log.LogEntry;
import dev.midcourse.ledger.sql.jdbc.SqlSession;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What one work changes, written down while it works: the store is told later, together with what
 * others have changed, and a work that fails on the way has changed nothing.
 */
public final class PendingWrites {
  private record Change(String sql, List<Object> values) {}

  private record Entry(Instant at, RunId run, String kind, String json) {}

  private final WriteTask<?> task;
  private final List<Change> changes = new ArrayList<>();
  private final Set<Object> subjects = new HashSet<>();
  private final List<Entry> entries = new ArrayList<>();
  private boolean partlyTold;

  PendingWrites(WriteTask<?> task) {
    this.task = task;
  }

  /** Says what is changed: whoever asks about it has to see the change. */
  PendingWrites about(Object subject) {
    subjects.add(subject);
    return this;
  }

  public void change(String sql, Object... values) {
    changes.add(new Change(sql, List.of(values)));
  }

  void append(Instant at, RunId run, String kind, String json) {
    entries.add(new Entry(at, run, kind, json));
  }

  /** What it is about, as far as the store has not been told. */
  Set<Object> subjects() {
    return subjects;
  }

  /** Whether the store was told a part of it while the work went on. */
  boolean partlyTold() {
    return partlyTold;
  }

  boolean failed() {
    return task.failed();
  }

  void fail(RuntimeException why) {
    task.fail(why);
  }

  /** Whether there is something to be made durable. */
  boolean leavesSomething() {
    return !failed() && (partlyTold || !changes.isEmpty() || !entries.isEmpty());
  }

  /** Tells the store what has been changed until now. */
  void tellSoFar(SqlSession on) {
    partlyTold = true;
    tell(on, List.of(this));
    changes.clear();
    subjects.clear();
  }

  /** Tells the store what these have changed, in their order; equal statements go together. */
  static void tell(SqlSession on, List<PendingWrites> drafts) {
    List<Change> all = drafts.stream().flatMap(draft -> draft.changes.stream()).toList();
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

  /** Adds what the work told the log to what others have, counting on from the cursor. */
  void addEntries(long cursor, List<LogEntry> log) {
    for (Entry entry : entries) {
      long next = cursor + log.size() + 1;
      log.add(new LogEntry(next, entry.at(), entry.run(), entry.kind(), entry.json()));
    }
  }
}
