/**
 * The common ground of every agent that is a program on this machine: it is started so that it
 * outlives the hub, found again by the next one, and ended with all it started. How it is talked to
 * is another package's.
 */
@NullMarked
package dev.midcourse.agents.hosted;

import org.jspecify.annotations.NullMarked;
