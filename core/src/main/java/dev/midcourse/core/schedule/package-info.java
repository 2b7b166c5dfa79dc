/**
 * Schedules: what is to be started at which times, and what happens to times that were missed. All
 * rules about due times are pure functions here. Not here: waiting for a time and starting a run
 * ({@code engine.schedule}), the text form of local times ({@code core.time}).
 */
@NullMarked
package dev.midcourse.core.schedule;

import org.jspecify.annotations.NullMarked;
