/** Runs agents: the services for runs and steers, their supervisors, recovery. */
@NullMarked
package dev.midcourse.engine;

import org.jspecify.annotations.NullMarked;
