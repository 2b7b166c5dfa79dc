/**
 * SQLite: connections, integrity check, checkpoints of the write-ahead log.
 *
 * <p>Everything that both stores share is elsewhere.
 */
@NullMarked
package dev.midcourse.ledger.sql.sqlite;

import org.jspecify.annotations.NullMarked;
