/**
 * The log over SQL: the newest entries in memory, older ones from the database, and the subscribers
 * that a commit wakes.
 *
 * <p>Appending to the log is part of a transaction, in {@code ledger.sql.write}.
 */
@NullMarked
package dev.midcourse.ledger.sql.log;

import org.jspecify.annotations.NullMarked;
