package dev.midcourse.ledger.sql.loop;

import dev.midcourse.core.id.LoopId;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.loop.Loop;
import dev.midcourse.core.loop.forge.ForgeWrite;
import dev.midcourse.core.loop.queue.MergeQueue;
import dev.midcourse.core.loop.queue.QueueKey;
import dev.midcourse.ledger.loop.LoopReader;
import dev.midcourse.ledger.sql.jdbc.SqlSession;
import dev.midcourse.ledger.sql.table.Subject;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Runs the queries about loops on one connection. */
public class SqlLoopReader implements LoopReader {
  static final Subject LOOPS = new Subject.OfLoops();

  private final Function<Subject, SqlSession> sessions;

  /** Asks {@code sessions} for the connection that shows all earlier changes of a subject. */
  public SqlLoopReader(Function<Subject, SqlSession> sessions) {
    this.sessions = sessions;
  }

  private SqlSession session() {
    return sessions.apply(LOOPS);
  }

  @Override
  public Optional<Loop> loop(LoopId id) {
    return LoopTable.byId(session(), id);
  }

  @Override
  public List<Loop> unended() {
    return LoopTable.unended(session());
  }

  @Override
  public List<Loop> newest(int limit) {
    return LoopTable.newest(session(), limit);
  }

  @Override
  public Optional<LoopId> loopOf(RunId run) {
    return LoopTable.ofRun(session(), run);
  }

  @Override
  public Optional<LoopId> loopWith(SteerId guidance) {
    return LoopTable.withGuidance(session(), guidance);
  }

  @Override
  public List<ForgeWrite> forgeWrites(LoopId loop) {
    return LoopTable.forgeWrites(session(), loop);
  }

  @Override
  public List<SteerId> guidanceStartingWith(String prefix, int limit) {
    return LoopTable.guidanceStartingWith(session(), prefix, limit);
  }

  @Override
  public Optional<MergeQueue> queue(QueueKey key) {
    return MergeQueueTable.byKey(session(), key);
  }

  @Override
  public List<MergeQueue> queues() {
    return MergeQueueTable.waiting(session());
  }
}
