/**
 * The ledger over SQL. {@link dev.midcourse.ledger.sql.SqliteLedger} and {@link
 * dev.midcourse.ledger.sql.PostgresLedger} open one.
 *
 * <p>The way of a write:
 *
 * <ol>
 *   <li><b>Queue.</b> A caller's thread puts a task into the write queue. The caller blocks until
 *       the task is durable ({@code write}) or gets a future ({@code writeAsync}). A STEER task
 *       goes before all others. NORMAL and LAZY tasks keep their order; if steers have overtaken
 *       them for 10 ms, 16 of them go into the next transaction.
 *   <li><b>Group commit.</b> The thread {@code ledger-writer} takes the waiting tasks and runs
 *       them, one after the other, in one transaction of at most 1,024 tasks. A transaction of LAZY
 *       tasks has at most 16 and begins at the earliest 2 ms after the last commit.
 *   <li><b>Write-behind buffer.</b> The changes of a task are recorded and sent to the store when a
 *       task reads the same subject, and before the commit. PostgreSQL gets all of them together,
 *       SQLite task by task. A task that fails is rolled back to a savepoint; the others stay.
 *   <li><b>Commit.</b> The writer inserts the log entries of all tasks, with cursors without gaps,
 *       and commits. If the store fails, all tasks of the transaction fail.
 *   <li><b>Log tail.</b> The writer adds the new entries to the cache of the newest entries.
 *   <li><b>Callers.</b> The writer wakes each blocked caller and runs its short {@code onCommit}.
 *       Futures of {@code writeAsync} are completed on virtual threads.
 *   <li><b>Subscribers.</b> A virtual thread wakes the subscribers that the entries concern. Each
 *       subscriber reads the entries on its own thread, from the cache if they are there. On
 *       PostgreSQL the commit also notifies the other hosts; there the thread of the notification
 *       connection wakes the subscribers.
 * </ol>
 *
 * <p>Reads use connections of their own and never wait for the writer.
 */
@NullMarked
package dev.midcourse.ledger.sql;

import org.jspecify.annotations.NullMarked;
