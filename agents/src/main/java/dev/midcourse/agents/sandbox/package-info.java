/**
 * Isolation and resource limits of a worker's programs, and the programs of this system that
 * enforce them.
 */
@NullMarked
package dev.midcourse.agents.sandbox;

import org.jspecify.annotations.NullMarked;
