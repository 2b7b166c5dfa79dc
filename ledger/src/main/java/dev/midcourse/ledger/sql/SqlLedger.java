package dev.midcourse.ledger.sql;

import dev.midcourse.ledger.Ledger;
import dev.midcourse.ledger.Log;
import dev.midcourse.ledger.sql.Piece.Manner;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;

/** The ledger over SQL: one writer, some readers, and the log. */
final class SqlLedger implements Ledger {
  private final GroupCommit writer;
  private final Readers readers;
  private final Tail tail;
  private final boolean shared;
  private final Log log;
  private final Runnable alsoClose;

  SqlLedger(GroupCommit writer, Readers readers, Tail tail, boolean shared, Runnable alsoClose) {
    this.writer = writer;
    this.readers = readers;
    this.tail = tail;
    this.shared = shared;
    this.log = new SqlLog(readers, tail);
    this.alsoClose = alsoClose;
  }

  @Override
  public <T> T write(Work<T> work) {
    return awaited(work, Manner.WAITED_FOR);
  }

  @Override
  public <T> T writeFirst(Work<T> work) {
    return awaited(work, Manner.FIRST);
  }

  @Override
  public <T> CompletableFuture<T> writeFirstLater(Work<T> work) {
    return writer.handIn(work, Manner.FIRST_SOON).promise();
  }

  @Override
  public <T, R> R writeFirst(Work<T> work, Function<T, R> then) {
    return awaited(writer.handIn(work, Manner.FIRST).promise().thenApply(then));
  }

  private <T> T awaited(Work<T> work, Manner manner) {
    return awaited(writer.handIn(work, manner).promise());
  }

  private static <T> T awaited(CompletableFuture<T> promise) {
    try {
      return promise.join();
    } catch (CompletionException e) {
      throw Thrown.again(e);
    }
  }

  @Override
  public <T> CompletableFuture<T> writeLater(Work<T> work) {
    return writer.handIn(work, Manner.SOON).promise();
  }

  @Override
  public <T> CompletableFuture<T> writeAtLeisure(Work<T> work) {
    return writer.handIn(work, Manner.AT_LEISURE).promise();
  }

  @Override
  public <T> T read(Look<T> look) {
    return readers.with(on -> look.at(new SqlReading(on)));
  }

  @Override
  public boolean shared() {
    return shared;
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
      more = write(tx -> ((SqlTx) tx).prune(endedBefore));
      gone += more;
    } while (more > 0);
    for (String name : readers.with(Prune::namesWithoutRun)) {
      while (write(tx -> ((SqlTx) tx).pruneEvents(name, endedBefore)) > 0) {}
    }
    tail.startAfter(tail.newest());
    return gone;
  }

  /** How many transactions have been written. */
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
}
