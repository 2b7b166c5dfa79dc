/**
 * Storage of schedules and of what became of their due times: the interfaces. Not here: the
 * statements ({@code ledger.sql.schedule}), the rules about due times ({@code core.schedule}).
 */
@NullMarked
package dev.midcourse.ledger.schedule;

import org.jspecify.annotations.NullMarked;
