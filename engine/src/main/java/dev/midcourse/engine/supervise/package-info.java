/**
 * Supervision of one live run: one supervisor thread per run reads its mailbox, plans steers,
 * writes to the agent and records evidence.
 *
 * <p>Choosing which run starts is in {@code engine.queue}; storing a steer is in {@code engine}.
 */
@NullMarked
package dev.midcourse.engine.supervise;

import org.jspecify.annotations.NullMarked;
