/**
 * Schedules: their changes, and what happens at a due time. A due time is carried out in one
 * transaction that stores it, queues the run and sets the next time, so a hub that is killed at any
 * point neither repeats nor loses one. Not here: the rules about due times ({@code core.schedule}),
 * waiting ({@code engine.timer}).
 */
@NullMarked
package dev.midcourse.engine.schedule;

import org.jspecify.annotations.NullMarked;
