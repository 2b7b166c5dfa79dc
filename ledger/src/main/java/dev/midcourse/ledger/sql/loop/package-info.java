/**
 * The tables of loops, of merge queues and of the outbox of forges: their statements and row
 * mapping.
 */
@NullMarked
package dev.midcourse.ledger.sql.loop;

import org.jspecify.annotations.NullMarked;
