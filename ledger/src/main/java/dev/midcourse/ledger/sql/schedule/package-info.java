/** The tables schedules and schedule_runs: their statements and row mapping. */
@NullMarked
package dev.midcourse.ledger.sql.schedule;

import org.jspecify.annotations.NullMarked;
