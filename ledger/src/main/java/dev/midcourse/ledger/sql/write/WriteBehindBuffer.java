package dev.midcourse.ledger.sql.write;

import dev.midcourse.ledger.sql.jdbc.Dialect;
import dev.midcourse.ledger.sql.jdbc.SqlSession;
import dev.midcourse.ledger.sql.jdbc.StoreErrors;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What works have changed in a transaction and the store has not been told. It is told when a work
 * asks about it, and at the end: to a store that is far away all of it together, and one by one if
 * that is refused, so that each work keeps or loses its own changes. No work is done again: it is
 * what it has written down that is told again.
 */
final class WriteBehindBuffer {
  private final SqlSession on;
  private final Dialect dialect;
  private final List<PendingWrites> drafts = new ArrayList<>();
  private final Set<Object> subjects = new HashSet<>();

  /** Whether the savepoint is behind all that was told: what is rolled back to it harms nobody. */
  private boolean saved = true;

  /** For a transaction that has just begun, with its savepoint set. */
  WriteBehindBuffer(SqlSession on, Dialect dialect) {
    this.on = on;
    this.dialect = dialect;
  }

  /** Sets the savepoint behind all that was told. */
  void save() {
    if (!saved) {
      dialect.moveSavepoint(on);
      saved = true;
    }
  }

  /** Takes what a work has changed. If the store knows a part of it, it is told the rest. */
  void keep(PendingWrites draft) {
    if (draft.partlyTold()) {
      tellOne(draft);
    } else if (!draft.subjects().isEmpty()) {
      drafts.add(draft);
      subjects.addAll(draft.subjects());
    }
  }

  /** Leaves nothing of what a work that failed has changed. */
  void drop(PendingWrites draft) {
    if (draft.partlyTold() || on.failure().isPresent()) {
      rollBack();
    }
  }

  /** The work with this draft is about to ask about the subject. */
  void asked(Object subject, PendingWrites asking) {
    if (asking.subjects().contains(subject)) {
      tellSoFar(asking);
    } else if (subjects.contains(subject)) {
      tellOthers();
    }
  }

  /** The work with this draft is about to ask about whatever there is. */
  void askedAboutAll(PendingWrites asking) {
    if (asking.subjects().isEmpty()) {
      tellOthers();
    } else {
      tellSoFar(asking);
    }
  }

  /** Tells what the work with this draft has changed until now, and all that was before it. */
  void tellSoFar(PendingWrites asking) {
    tellOthers();
    asking.tellSoFar(on);
  }

  private void tellOthers() {
    // A work whose statement was refused is lost; the others are told when it is rolled back.
    if (on.failure().isEmpty()) {
      tell();
      save();
    }
  }

  /** Tells everything. */
  void tell() {
    if (drafts.isEmpty()) {
      return;
    }
    List<PendingWrites> all = List.copyOf(drafts);
    drafts.clear();
    subjects.clear();
    if (!dialect.isRemote() || !toldTogether(all)) {
      all.forEach(this::tellOne);
    }
  }

  private boolean toldTogether(List<PendingWrites> all) {
    save();
    try {
      PendingWrites.tell(on, all);
      saved = false;
      return true;
    } catch (RuntimeException refused) {
      rollBackAfter(refused);
      return false;
    }
  }

  private void tellOne(PendingWrites draft) {
    save();
    try {
      PendingWrites.tell(on, List.of(draft));
      saved = false;
    } catch (RuntimeException refused) {
      rollBackAfter(refused);
      draft.fail(refused);
    }
  }

  /** When it is the store that failed, everybody has to know. */
  private void rollBackAfter(RuntimeException refused) {
    if (StoreErrors.ofTheStore(refused)) {
      throw refused;
    }
    rollBack();
  }

  private void rollBack() {
    on.forget();
    on.update("ROLLBACK TO SAVEPOINT work");
  }
}
