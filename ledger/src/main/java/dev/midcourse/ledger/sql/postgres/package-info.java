/**
 * PostgreSQL: connections, errors, notifications between hosts, and the check that commits survive
 * a power cut.
 *
 * <p>Everything that both stores share is elsewhere.
 */
@NullMarked
package dev.midcourse.ledger.sql.postgres;

import org.jspecify.annotations.NullMarked;
