package dev.midcourse.ledger.sql;

import dev.midcourse.ledger.Ledger.Priority;
import dev.midcourse.ledger.Log.Logged;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** One transaction's worth of works. Each keeps or loses its own changes. */
final class Batch {
  private final Dialect dialect;
  private final Statements on;
  private final long cursor;
  private final Untold untold;
  private final List<Draft> drafts = new ArrayList<>();
  private boolean awaited;

  Batch(Dialect dialect, WritersLine.Begun begun) {
    this.dialect = dialect;
    this.on = begun.on();
    this.cursor = begun.cursor();
    this.untold = new Untold(on, dialect);
  }

  /** Whether somebody waits for one of the works. */
  boolean awaited() {
    return awaited;
  }

  /** Does one work. */
  void perform(Piece<?> piece) {
    awaited |= piece.priority() != Priority.LAZY;
    Draft draft = new Draft(piece);
    drafts.add(draft);
    untold.save();
    piece.perform(new SqlTx(on, untold, draft));
    judge(piece, on.failure());
    if (piece.failed()) {
      untold.drop(draft);
    } else {
      untold.keep(draft);
    }
  }

  /**
   * A work whose statement failed has failed, even if it caught the error; and when the store
   * itself failed, so have its neighbours.
   */
  private void judge(Piece<?> piece, Optional<SQLException> failure) {
    if (failure.isEmpty()) {
      return;
    }
    RuntimeException refusal = dialect.refusal(failure.get());
    if (Refusals.ofTheStore(refusal)) {
      throw refusal;
    }
    if (!piece.failed()) {
      piece.fail(refusal);
    }
  }

  /** Makes durable what the works have left, and returns what they told the log. */
  List<Logged> commit() {
    untold.tell();
    if (drafts.stream().noneMatch(Draft::leavesSomething)) {
      on.update("ROLLBACK");
      return List.of();
    }
    List<Logged> entries = new ArrayList<>();
    drafts.stream()
        .filter(draft -> !draft.failed())
        .forEach(draft -> draft.addEntries(cursor, entries));
    EventTable.insert(on, entries);
    dialect.commit(on, cursor + entries.size(), !entries.isEmpty());
    return entries;
  }
}
