/**
 * The tables of loops, their runs and guidance, and of merge queues: statements and row mapping.
 */
@NullMarked
package dev.midcourse.ledger.sql.loop;

import org.jspecify.annotations.NullMarked;
