/**
 * The shell wrapper that starts an agent in its own session and records how it ended.
 *
 * <p>The wrapper lives as long as the agent and does not need the hub. Reading its record is in
 * here; deciding what an exit means is not.
 */
@NullMarked
package dev.midcourse.agents.process.wrapper;

import org.jspecify.annotations.NullMarked;
