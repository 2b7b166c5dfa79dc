/**
 * Decides which queued run starts next, and handles runs that have no live supervisor: orphaned
 * attempts, stops of queued runs, ends of runs.
 *
 * <p>Supervision of a live run is in {@code engine.supervise}.
 */
@NullMarked
package dev.midcourse.engine.queue;

import org.jspecify.annotations.NullMarked;
