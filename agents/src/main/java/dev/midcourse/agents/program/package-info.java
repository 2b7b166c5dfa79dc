/** Finds the programs of agents on this machine and their versions. */
@NullMarked
package dev.midcourse.agents.program;

import org.jspecify.annotations.NullMarked;
