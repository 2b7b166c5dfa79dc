/** The tables of loops and of the outbox of forges: their statements and row mapping. */
@NullMarked
package dev.midcourse.ledger.sql.loop;

import org.jspecify.annotations.NullMarked;
