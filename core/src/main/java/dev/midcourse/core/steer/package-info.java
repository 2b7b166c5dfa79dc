/**
 * A steer: its modes, the rungs of its receipt, its ends, and the plan that brings it to the agent.
 */
@NullMarked
package dev.midcourse.core.steer;

import org.jspecify.annotations.NullMarked;
