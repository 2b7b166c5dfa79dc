package dev.midcourse.ledger.sql.loop;

import dev.midcourse.core.loop.Loop;
import dev.midcourse.core.loop.forge.ForgeWrite;
import dev.midcourse.core.loop.queue.MergeQueue;
import dev.midcourse.ledger.loop.LoopWriter;
import dev.midcourse.ledger.sql.jdbc.SqlSession;
import dev.midcourse.ledger.sql.table.ChangeRecorder;
import dev.midcourse.ledger.sql.table.Subject;
import java.time.Instant;
import java.util.function.Function;

/** Records the changes of loops in one transaction. */
public final class SqlLoopWriter extends SqlLoopReader implements LoopWriter {
  private final Function<Subject, ChangeRecorder> recorders;

  public SqlLoopWriter(
      Function<Subject, SqlSession> sessions, Function<Subject, ChangeRecorder> recorders) {
    super(sessions);
    this.recorders = recorders;
  }

  @Override
  public void put(Loop loop) {
    LoopTable.put(recorders.apply(LOOPS), loop);
  }

  @Override
  public void put(ForgeWrite write) {
    LoopTable.put(recorders.apply(LOOPS), write);
  }

  @Override
  public void put(MergeQueue queue) {
    MergeQueueTable.put(recorders.apply(LOOPS), queue);
  }

  @Override
  public void prune(Instant endedBefore) {
    LoopTable.prune(recorders.apply(LOOPS), endedBefore);
  }
}
