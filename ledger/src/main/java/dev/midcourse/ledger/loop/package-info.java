/**
 * Storage of autopilot loops: the interfaces. Not here: the statements ({@code ledger.sql.loop}),
 * the rules of a loop ({@code core.loop}).
 */
@NullMarked
package dev.midcourse.ledger.loop;

import org.jspecify.annotations.NullMarked;
