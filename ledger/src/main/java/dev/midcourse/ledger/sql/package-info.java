/**
 * The ledger over SQL. {@link dev.midcourse.ledger.sql.SqliteLedger} opens one; the rest is how.
 */
@NullMarked
package dev.midcourse.ledger.sql;

import org.jspecify.annotations.NullMarked;
