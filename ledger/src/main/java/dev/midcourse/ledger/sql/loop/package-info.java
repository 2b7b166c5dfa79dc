/** The tables loops, loop_runs and loop_guidance: their statements and row mapping. */
@NullMarked
package dev.midcourse.ledger.sql.loop;

import org.jspecify.annotations.NullMarked;
