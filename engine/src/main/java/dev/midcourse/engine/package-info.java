/**
 * The services of the engine: runs, steers, dispatches and reviews, and the {@link
 * dev.midcourse.engine.Engine} that supervises all live runs of a host.
 *
 * <p>The supervision of one run, the queue, the checkouts and the followers of the log are in the
 * packages below.
 */
@NullMarked
package dev.midcourse.engine;

import org.jspecify.annotations.NullMarked;
