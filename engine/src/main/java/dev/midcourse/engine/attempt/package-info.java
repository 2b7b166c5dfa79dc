/**
 * The shared state of one live attempt: its mailbox, its unit of work, its activity, and the
 * throttles of what is recorded.
 *
 * <p>Only the supervisor's thread uses these objects, except the mailbox. Decisions are in {@code
 * engine.supervise} and in core.
 */
@NullMarked
package dev.midcourse.engine.attempt;

import org.jspecify.annotations.NullMarked;
