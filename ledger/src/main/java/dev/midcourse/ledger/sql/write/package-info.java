/**
 * The write path: a queue with priorities, one writer thread, group commit, and a write-behind
 * buffer for each transaction.
 *
 * <p>Which rows are written is decided by the caller's transaction body.
 */
@NullMarked
package dev.midcourse.ledger.sql.write;

import org.jspecify.annotations.NullMarked;
