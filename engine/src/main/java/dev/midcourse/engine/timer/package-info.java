/**
 * Timers: calls of tasks at a time.
 *
 * <p>A timer is not stored. The truth about what is due is in the ledger, and each user of a timer
 * sets its timers again from there at the start of the hub.
 */
@NullMarked
package dev.midcourse.engine.timer;

import org.jspecify.annotations.NullMarked;
