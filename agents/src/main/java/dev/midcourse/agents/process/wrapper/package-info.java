/**
 * The shell wrapper that starts an agent in its own session and records its exit status.
 *
 * <p>The wrapper lives as long as the agent and does not need the hub. The record of the wrapper is
 * in {@code attempt}. Deciding the meaning of an exit is not in here.
 */
@NullMarked
package dev.midcourse.agents.process.wrapper;

import org.jspecify.annotations.NullMarked;
