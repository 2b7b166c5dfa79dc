/** The store of runs, steers and events, in SQLite or PostgreSQL. */
@NullMarked
package dev.midcourse.ledger;

import org.jspecify.annotations.NullMarked;
