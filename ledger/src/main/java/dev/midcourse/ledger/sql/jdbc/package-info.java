/**
 * JDBC below the ledger: sessions with prepared statements, rows, migrations, and what differs
 * between the stores.
 *
 * <p>No table of the ledger is known here.
 */
@NullMarked
package dev.midcourse.ledger.sql.jdbc;

import org.jspecify.annotations.NullMarked;
