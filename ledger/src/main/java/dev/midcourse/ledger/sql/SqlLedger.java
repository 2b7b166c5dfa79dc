package dev.midcourse.ledger.sql;

import dev.midcourse.ledger.Ledger;
import dev.midcourse.ledger.Ledger.Priority;
import dev.midcourse.ledger.Log;
import dev.midcourse.ledger.StoreLock;
import dev.midcourse.ledger.chat.ChatReader;
import dev.midcourse.ledger.loop.LoopReader;
import dev.midcourse.ledger.schedule.ScheduleReader;
import dev.midcourse.ledger.sql.chat.SqlChatReader;
import dev.midcourse.ledger.sql.jdbc.ReadConnections;
import dev.midcourse.ledger.sql.jdbc.SqlSession;
import dev.midcourse.ledger.sql.log.LogTailCache;
import dev.midcourse.ledger.sql.log.SqlLog;
import dev.midcourse.ledger.sql.loop.SqlLoopReader;
import dev.midcourse.ledger.sql.postgres.PostgresLocks;
import dev.midcourse.ledger.sql.schedule.SqlScheduleReader;
import dev.midcourse.ledger.sql.table.RunPruner;
import dev.midcourse.ledger.sql.table.SqlLedgerReader;
import dev.midcourse.ledger.sql.write.GroupCommit;
import dev.midcourse.ledger.sql.write.SqlTransaction;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;

/** The ledger over SQL: one writer, several read connections, and the log. */
final class SqlLedger implements Ledger {
  private final GroupCommit writer;
  private final ReadConnections readers;
  private final LogTailCache tail;
  private final Optional<PostgresLocks> sharedLocks;
  private final LocalLocks localLocks = new LocalLocks();
  private final Log log;
  private final Runnable alsoClose;

  SqlLedger(
      GroupCommit writer,
      ReadConnections readers,
      LogTailCache tail,
      Optional<PostgresLocks> sharedLocks,
      Runnable alsoClose) {
    this.writer = writer;
    this.readers = readers;
    this.tail = tail;
    this.sharedLocks = sharedLocks;
    this.log = new SqlLog(readers, tail);
    this.alsoClose = alsoClose;
  }

  @Override
  public <T, R> R write(Priority priority, TransactionBody<T> work, Function<T, R> onCommit) {
    try {
      return writer.submitBlocking(priority, work).thenApply(onCommit).join();
    } catch (CompletionException e) {
      switch (e.getCause()) {
        case RuntimeException thrown -> throw thrown;
        case Error thrown -> throw thrown;
        case null, default -> throw e;
      }
    }
  }

  @Override
  public <T> CompletableFuture<T> writeAsync(Priority priority, TransactionBody<T> work) {
    return writer.submit(priority, work);
  }

  @Override
  public <T> T read(Query<T> look) {
    return readers.with(on -> look.at(new StoredState(on)));
  }

  @Override
  public boolean shared() {
    return sharedLocks.isPresent();
  }

  @Override
  public Optional<StoreLock> tryLock(String name) {
    return sharedLocks.isPresent() ? sharedLocks.get().tryLock(name) : localLocks.tryLock(name);
  }

  @Override
  public Log log() {
    return log;
  }

  @Override
  public int prune(Instant endedBefore) {
    int gone = 0;
    int more;
    do {
      more = write(tx -> ((SqlTransaction) tx).prune(endedBefore));
      gone += more;
    } while (more > 0);
    for (String name : readers.with(RunPruner::namesWithoutRun)) {
      while (write(tx -> ((SqlTransaction) tx).pruneEvents(name, endedBefore)) > 0) {}
    }
    while (write(tx -> tx.chats().pruneMessages(endedBefore)) > 0) {}
    write(tx -> {
      tx.schedules().prune(endedBefore);
      tx.loops().prune(endedBefore);
      return endedBefore;
    });
    tail.startAfter(tail.newest());
    return gone;
  }

  /** The number of committed transactions. */
  long commits() {
    return writer.commits();
  }

  @Override
  public void close() {
    writer.close();
    tail.close();
    alsoClose.run();
    readers.close();
  }

  /** Reads the committed state on one connection. */
  private static final class StoredState extends SqlLedgerReader {
    StoredState(SqlSession on) {
      super(on);
    }

    @Override
    public ChatReader chats() {
      return new SqlChatReader(this::about);
    }

    @Override
    public ScheduleReader schedules() {
      return new SqlScheduleReader(this::about);
    }

    @Override
    public LoopReader loops() {
      return new SqlLoopReader(this::about);
    }
  }
}
